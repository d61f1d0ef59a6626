// Kernel locks on files: gone with the process that holds them, however it ends.
#pragma once

#include <string>

namespace mill::builder {

class FileLock {
public:
    /// Takes the lock, or fails at once (held() is false). Throws Error(io) if the file cannot be made.
    explicit FileLock(const std::string& path);
    ~FileLock();
    FileLock(const FileLock&) = delete;
    FileLock& operator=(const FileLock&) = delete;
    bool held() const { return fd_ >= 0; }
    /// Whether the locked file still has its name: if not, somebody took the folder away.
    bool in_place() const;

private:
    std::string path_;
    int fd_ = -1;
};

} // namespace mill::builder
