/* Fails one call of the C library in a process that has this library preloaded.

   faults_arm(folder, kind, number, error, who): the call with that number (from 1) of those that count fails once with
   that errno. Calls count that name or use a file in `folder` (FILES), or that allocate memory (MEMORY), in the thread
   that calls faults_arm (who 0) or in all others (who 1). error -1: a write writes half of what it should, once.
   faults_disarm() returns how many calls have counted; faults_name() the name of the one that failed, "" for none. */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

enum { FILES = 1, MEMORY = 2 };
static volatile int armed, kinds, wanted_error, for_others;
static volatile long left, counted;
static char folder[4096], failed[64];
static size_t length;
static __thread int is_owner, is_busy;

void faults_arm(const char *path, int kind, long number, int error, int who) {
    strncpy(folder, path, sizeof folder - 1);
    length = strlen(folder);
    failed[0] = 0;
    kinds = kind, wanted_error = error, for_others = who, left = number, counted = 0, is_owner = 1;
    __sync_synchronize();
    armed = 1;
}

long faults_disarm(void) {
    armed = 0;
    is_owner = 0;
    return counted;
}

const char *faults_name(void) { return failed; }

/* Whether this call fails: 1 with errno set, 2 for half of a write. */
static int fails(int kind, const char *name, int is_write) {
    if (!armed || is_busy || !(kinds & kind) || is_owner == for_others) return 0;
    if (wanted_error == -1 && !is_write) return 0;
    __sync_fetch_and_add(&counted, 1);
    if (__sync_sub_and_fetch(&left, 1) != 0) return 0;
    strncpy(failed, name, sizeof failed - 1);
    if (wanted_error == -1) return 2;
    errno = wanted_error;
    return 1;
}

static int inside(const char *path) { return armed && path && !strncmp(path, folder, length); }

static int inside_fd(int fd) {
    char link[64], path[4096];
    if (!armed || fd < 0) return 0;
    int saved = errno;
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    long size = syscall(SYS_readlink, link, path, sizeof path - 1);
    errno = saved;
    if (size <= 0) return 0;
    path[size] = 0;
    return inside(path);
}

static int inside_at(int fd, const char *path) { return path && path[0] == '/' ? inside(path) : inside_fd(fd); }

#define REAL(name) \
    static __typeof__(name) *real; \
    if (!real) { is_busy++; real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name); is_busy--; }
#define CALL(type, bad, name, parameters, arguments, is_inside) \
    type name parameters { \
        REAL(name) \
        if ((is_inside) && fails(FILES, #name, 0)) return bad; \
        return real arguments; \
    }
#define INT(name, parameters, arguments, is_inside) CALL(int, -1, name, parameters, arguments, is_inside)

#define OPEN(name) \
    int name(const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        REAL(name) \
        if (inside(path) && fails(FILES, #name, 0)) return -1; \
        return real(path, flags, mode); \
    }
#define OPENAT(name) \
    int name(int fd, const char *path, int flags, ...) { \
        va_list rest; va_start(rest, flags); int mode = va_arg(rest, int); va_end(rest); \
        REAL(name) \
        if (inside_at(fd, path) && fails(FILES, #name, 0)) return -1; \
        return real(fd, path, flags, mode); \
    }
OPEN(open) OPEN(open64) OPENAT(openat) OPENAT(openat64)

#define WRITE(name, parameters, whole, half) \
    ssize_t name parameters { \
        REAL(name) \
        int how = inside_fd(fd) ? fails(FILES, #name, size > 1) : 0; \
        if (how == 1) return -1; \
        return how == 2 ? real half : real whole; \
    }
WRITE(write, (int fd, const void *data, size_t size), (fd, data, size), (fd, data, size / 2))
WRITE(pwrite, (int fd, const void *data, size_t size, off_t at), (fd, data, size, at), (fd, data, size / 2, at))
WRITE(pwrite64, (int fd, const void *data, size_t size, off64_t at), (fd, data, size, at), (fd, data, size / 2, at))
CALL(ssize_t, -1, writev, (int fd, const struct iovec *parts, int count), (fd, parts, count), inside_fd(fd))
CALL(ssize_t, -1, read, (int fd, void *data, size_t size), (fd, data, size), inside_fd(fd))
CALL(ssize_t, -1, pread64, (int fd, void *data, size_t size, off64_t at), (fd, data, size, at), inside_fd(fd))
INT(fsync, (int fd), (fd), inside_fd(fd))
INT(fdatasync, (int fd), (fd), inside_fd(fd))
INT(ftruncate, (int fd, off_t size), (fd, size), inside_fd(fd))
INT(ftruncate64, (int fd, off64_t size), (fd, size), inside_fd(fd))
CALL(off_t, -1, lseek, (int fd, off_t at, int from), (fd, at, from), inside_fd(fd))
CALL(off64_t, -1, lseek64, (int fd, off64_t at, int from), (fd, at, from), inside_fd(fd))
INT(fstat, (int fd, struct stat *found), (fd, found), inside_fd(fd))
INT(fstat64, (int fd, struct stat64 *found), (fd, found), inside_fd(fd))
INT(stat, (const char *path, struct stat *found), (path, found), inside(path))
INT(stat64, (const char *path, struct stat64 *found), (path, found), inside(path))
INT(lstat, (const char *path, struct stat *found), (path, found), inside(path))
INT(lstat64, (const char *path, struct stat64 *found), (path, found), inside(path))
INT(fstatat, (int fd, const char *path, struct stat *found, int flags), (fd, path, found, flags), inside_at(fd, path))
INT(fstatat64, (int fd, const char *path, struct stat64 *found, int flags), (fd, path, found, flags), inside_at(fd, path))
INT(statx, (int fd, const char *path, int flags, unsigned mask, struct statx *found), (fd, path, flags, mask, found), inside_at(fd, path))
INT(access, (const char *path, int mode), (path, mode), inside(path))
INT(faccessat, (int fd, const char *path, int mode, int flags), (fd, path, mode, flags), inside_at(fd, path))
INT(rename, (const char *from, const char *to), (from, to), inside(to))
INT(renameat, (int a, const char *from, int b, const char *to), (a, from, b, to), inside_at(b, to))
INT(renameat2, (int a, const char *from, int b, const char *to, unsigned flags), (a, from, b, to, flags), inside_at(b, to))
INT(link, (const char *from, const char *to), (from, to), inside(to))
INT(linkat, (int a, const char *from, int b, const char *to, int flags), (a, from, b, to, flags), inside_at(b, to))
INT(symlink, (const char *from, const char *to), (from, to), inside(to))
INT(unlink, (const char *path), (path), inside(path))
INT(unlinkat, (int fd, const char *path, int flags), (fd, path, flags), inside_at(fd, path))
INT(rmdir, (const char *path), (path), inside(path))
INT(mkdir, (const char *path, mode_t mode), (path, mode), inside(path))
INT(mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode), inside_at(fd, path))
INT(chmod, (const char *path, mode_t mode), (path, mode), inside(path))
INT(fchmod, (int fd, mode_t mode), (fd, mode), inside_fd(fd))
INT(fchmodat, (int fd, const char *path, mode_t mode, int flags), (fd, path, mode, flags), inside_at(fd, path))
INT(chown, (const char *path, uid_t user, gid_t group), (path, user, group), inside(path))
INT(fchown, (int fd, uid_t user, gid_t group), (fd, user, group), inside_fd(fd))
CALL(ssize_t, -1, readlink, (const char *path, char *found, size_t size), (path, found, size), inside(path))
CALL(DIR *, NULL, opendir, (const char *path), (path), inside(path))
CALL(void *, MAP_FAILED, mmap, (void *at, size_t size, int how, int flags, int fd, off_t from), (at, size, how, flags, fd, from), fd >= 0 && inside_fd(fd))
CALL(void *, MAP_FAILED, mmap64, (void *at, size_t size, int how, int flags, int fd, off64_t from), (at, size, how, flags, fd, from), fd >= 0 && inside_fd(fd))

int close(int fd) { /* the file is closed all the same, as Linux does */
    REAL(close)
    int how = inside_fd(fd) && fails(FILES, "close", 0), error = errno, done = real(fd);
    if (!how) return done;
    errno = error;
    return -1;
}

extern void *__libc_malloc(size_t), *__libc_calloc(size_t, size_t), *__libc_realloc(void *, size_t);
void *malloc(size_t size) { return fails(MEMORY, "malloc", 0) ? NULL : __libc_malloc(size); }
void *calloc(size_t number, size_t size) { return fails(MEMORY, "calloc", 0) ? NULL : __libc_calloc(number, size); }
void *realloc(void *old, size_t size) { return fails(MEMORY, "realloc", 0) ? NULL : __libc_realloc(old, size); }
