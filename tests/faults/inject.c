/* Preloaded into a program: makes one of its calls to the system fail. What it does is said by the environment:
 *
 *   INJECT_CALL   which call: open pwrite write fsync close rename mkdir flock mmap openat malloc, or none
 *   INJECT_AT     which of them, from 1; 0 or absent: none, they are only counted
 *   INJECT_ERRNO  the error (default ENOSPC)
 *   INJECT_STAYS  1: all later ones fail as well, as on a disk that stays full
 *   INJECT_SHORT  1: a failing write writes half before
 *   INJECT_PATH   only files with this in their path
 *   INJECT_LEAST  only allocations of at least so many bytes
 *   INJECT_CLOCK  1: the time of day jumps by years at every look
 *   INJECT_COUNT  file that receives the number of calls seen, at the end
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

static const char *call, *path_part, *count_file;
static long fail_at, least;
static int error_number = ENOSPC, stays, short_writes, jumps;
static atomic_long seen;

static long number(const char* name, long otherwise) {
    const char* text = getenv(name);
    return text ? strtol(text, NULL, 10) : otherwise;
}

__attribute__((constructor)) static void start(void) {
    path_part = getenv("INJECT_PATH");
    count_file = getenv("INJECT_COUNT");
    fail_at = number("INJECT_AT", 0);
    least = number("INJECT_LEAST", 0);
    error_number = (int)number("INJECT_ERRNO", ENOSPC);
    stays = (int)number("INJECT_STAYS", 0);
    short_writes = (int)number("INJECT_SHORT", 0);
    jumps = (int)number("INJECT_CLOCK", 0);
    call = getenv("INJECT_CALL"); /* last: from here on calls count */
}

__attribute__((destructor)) static void finish(void) {
    const long n = seen;
    call = NULL;
    FILE* file = count_file ? fopen(count_file, "w") : NULL;
    if (!file) return;
    fprintf(file, "%ld\n", n);
    fclose(file);
}

/* ISO C has no cast from an object's address to a function's. */
static void find(void* function, const char* name) {
    void* at = dlsym(RTLD_NEXT, name);
    memcpy(function, &at, sizeof at);
}

/* Whether this call is the one to fail; sets errno if so. */
static int fails(const char* name, const char* path) {
    if (!call || strcmp(call, name) != 0) return 0;
    if (path_part && (!path || !strstr(path, path_part))) return 0;
    const long n = atomic_fetch_add(&seen, 1) + 1;
    if (fail_at == 0 || n < fail_at || (n > fail_at && !stays)) return 0;
    errno = error_number;
    return 1;
}

static int fails_at(const char* name, int fd) {
    char link[64], path[4096] = "";
    if (!call || strcmp(call, name) != 0) return 0;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t n = readlink(link, path, sizeof path - 1);
    path[n > 0 ? n : 0] = 0;
    return fails(name, path);
}

int open(const char* path, int flags, ...) {
    static int (*real)(const char*, int, ...);
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    if (!real) find(&real, "open");
    return fails("open", path) ? -1 : real(path, flags, mode);
}

ssize_t write(int fd, const void* bytes, size_t n) {
    static ssize_t (*real)(int, const void*, size_t);
    if (!real) find(&real, "write");
    if (!fails_at("write", fd)) return real(fd, bytes, n);
    return short_writes && n > 1 ? real(fd, bytes, n / 2) : -1;
}

ssize_t pwrite(int fd, const void* bytes, size_t n, off_t offset) {
    static ssize_t (*real)(int, const void*, size_t, off_t);
    if (!real) find(&real, "pwrite");
    if (!fails_at("pwrite", fd)) return real(fd, bytes, n, offset);
    if (short_writes && n > 1 && real(fd, bytes, n / 2, offset) > 0) errno = error_number;
    return -1;
}

int fsync(int fd) {
    static int (*real)(int);
    if (!real) find(&real, "fsync");
    return fails_at("fsync", fd) ? -1 : real(fd);
}

int close(int fd) {
    static int (*real)(int);
    if (!real) find(&real, "close");
    const int bad = fails_at("close", fd), result = real(fd);
    if (bad) errno = error_number;
    return bad ? -1 : result;
}

int rename(const char* from, const char* to) {
    static int (*real)(const char*, const char*);
    if (!real) find(&real, "rename");
    return fails("rename", to) ? -1 : real(from, to);
}

int mkdir(const char* path, mode_t mode) {
    static int (*real)(const char*, mode_t);
    if (!real) find(&real, "mkdir");
    return fails("mkdir", path) ? -1 : real(path, mode);
}

int flock(int fd, int operation) {
    static int (*real)(int, int);
    if (!real) find(&real, "flock");
    return fails_at("flock", fd) ? -1 : real(fd, operation);
}

/* How the C++ library opens the folders that it lists. */
int openat(int folder, const char* path, int flags, ...) {
    static int (*real)(int, const char*, int, ...);
    mode_t mode = 0;
    if (flags & (O_CREAT | O_TMPFILE)) {
        va_list list;
        va_start(list, flags);
        mode = va_arg(list, mode_t);
        va_end(list);
    }
    if (!real) find(&real, "openat");
    return fails("openat", path) ? -1 : real(folder, path, flags, mode);
}

void* mmap(void* at, size_t size, int protection, int flags, int fd, off_t offset) {
    static void* (*real)(void*, size_t, int, int, int, off_t);
    if (!real) find(&real, "mmap");
    const int bad = flags & MAP_ANONYMOUS ? !path_part && fails("mmap", NULL) : fails_at("mmap", fd);
    return bad ? MAP_FAILED : real(at, size, protection, flags, fd, offset);
}

extern void* __libc_malloc(size_t); // NOLINT(bugprone-reserved-identifier): the name is the C library's
void* malloc(size_t size) {
    return size >= (size_t)least && fails("malloc", NULL) ? NULL : __libc_malloc(size);
}

void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags) {
    static void (*real)(void (*)(void*), void*, unsigned, unsigned);
    if (!real) find(&real, "GOMP_parallel");
    if (fails("GOMP_parallel", NULL)) exit(1); /* what the OpenMP runtime does when it is out of memory */
    real(work, data, threads, flags);
}

int clock_gettime(clockid_t clock, struct timespec* now) {
    static int (*real)(clockid_t, struct timespec*);
    static atomic_long looks;
    if (!real) find(&real, "clock_gettime");
    const int result = real(clock, now);
    /* Steady clocks do not jump, whatever is done to the time of day. */
    if (jumps && result == 0 && clock == CLOCK_REALTIME)
        now->tv_sec += (atomic_fetch_add(&looks, 1) % 2 ? -1 : 1) * 300000000L;
    return result;
}
