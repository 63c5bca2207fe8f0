/*
 * A disk that keeps only what a process synced, by LD_PRELOAD. POWER_FROM is the process's folder. POWER_TO gets
 * `data/INODE`, the content of each file at its last sync, and `entries/FOLDER`, lines `INODE NAME` of each folder:
 * all of them at a sync of the folder, and one at a sync of a file, which journaling file systems keep with it.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;

static FILE *open_entries(const char *folder, const char *mode) {
  char name[PATH_MAX], path[2 * PATH_MAX];
  snprintf(name, sizeof name, "%s", *folder ? folder : "/");
  for (char *at = name; *at; at++)
    if (*at == '/') *at = '%';
  snprintf(path, sizeof path, "%s/entries/%s", getenv("POWER_TO"), name);
  return fopen(path, mode);
}

static void keep_file(const char *path, const char *inside, const struct stat *st) {
  char temporary[PATH_MAX], kept[PATH_MAX], buffer[65536], folder[PATH_MAX];
  snprintf(kept, sizeof kept, "%s/data/%lu", getenv("POWER_TO"), st->st_ino);
  snprintf(temporary, sizeof temporary, "%s.new", kept);
  int from = open(path, O_RDONLY), to = open(temporary, O_WRONLY | O_CREAT | O_TRUNC, 0600);
  ssize_t count;
  while ((count = read(from, buffer, sizeof buffer)) > 0)
    if (write(to, buffer, count) != count) abort();
  close(from);
  close(to);
  rename(temporary, kept);
  snprintf(folder, sizeof folder, "%s", inside);
  char *name = strrchr(folder, '/');
  *name++ = 0;
  FILE *entries = open_entries(folder, "a");
  fprintf(entries, "%lu %s\n", st->st_ino, name);
  fclose(entries);
}

static void keep_folder(const char *path, const char *inside) {
  FILE *entries = open_entries(inside, "w");
  DIR *folder = opendir(path);
  for (struct dirent *one; folder && (one = readdir(folder));)
    if (one->d_type == DT_REG) fprintf(entries, "%lu %s\n", one->d_ino, one->d_name);
  if (folder) closedir(folder);
  fclose(entries);
}

static int sync_by(const char *name, int file) {
  int (*sync)(int) = (int (*)(int))dlsym(RTLD_NEXT, name);
  int result = sync(file);
  const char *from = getenv("POWER_FROM");
  char link[64], path[PATH_MAX];
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, sizeof path - 1);
  struct stat st;
  if (result != 0 || !from || length < 0 || fstat(file, &st) != 0 || st.st_nlink == 0) return result;
  path[length] = 0;
  if (strncmp(path, from, strlen(from)) != 0) return result;
  const char *inside = path + strlen(from);
  pthread_mutex_lock(&one_at_a_time);
  if (S_ISREG(st.st_mode)) keep_file(path, inside, &st);
  if (S_ISDIR(st.st_mode)) keep_folder(path, inside);
  pthread_mutex_unlock(&one_at_a_time);
  return result;
}

int fsync(int file) { return sync_by("fsync", file); }
int fdatasync(int file) { return sync_by("fdatasync", file); }
