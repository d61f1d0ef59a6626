#include "builder/tables/file_lock.h"

#include "rules/error.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace mill::builder {

FileLock::FileLock(const std::string& path) : path_(path) {
    const int fd = open(path.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0644);
    if (fd < 0) throw Error(ErrorCode::io, "cannot make lock file " + path + ": " + std::strerror(errno));
    // The file stays when the lock goes: removing it would let two processes lock different files.
    if (flock(fd, LOCK_EX | LOCK_NB) == 0) {
        fd_ = fd;
        return;
    }
    const int error = errno;
    close(fd);
    if (error != EWOULDBLOCK) throw Error(ErrorCode::io, "cannot lock " + path + ": " + std::strerror(error));
}

bool FileLock::in_place() const {
    struct stat ours {
    }, named{};
    return held() && fstat(fd_, &ours) == 0 && stat(path_.c_str(), &named) == 0 &&
           ours.st_dev == named.st_dev && ours.st_ino == named.st_ino;
}

FileLock::~FileLock() {
    if (fd_ >= 0) close(fd_);
}

} // namespace mill::builder
