// tests > [checkpoint]: a disk in memory that can lose its power.
//
// The weakest disk that the standards allow: content is durable after the file is synced, a name after its folder is
// synced, and of what was not synced any subset may survive. Real disks are kinder.
#pragma once
#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "entrain/checkpoint/posix.hpp"

namespace test {

using Image = std::map<std::string, std::string>;  // path -> content

/// A policy for checkpoint/; copies are handles of one disk. Dies at call number `dies_at`: that call and all later
/// ones fail and do nothing.
class MemoryDisk {
 public:
  explicit MemoryDisk(const Image& image, int dies_at = 1 << 30) : d_(std::make_shared<Disk>()) {
    d_->dies_at = dies_at;
    for (const auto& [path, content] : image)
      d_->now[path] = d_->durable[path] = std::make_shared<Inode>(Inode{content, content, 0});
  }
  int calls() const { return d_->calls; }

  /// What may be on the disk when the power fails now: every subset of the unsynced names, with the unsynced content
  /// kept, lost, or cut in half.
  std::set<Image> after_power_loss() const {
    std::set<Image> images;
    for (std::size_t subset = 0; subset < (std::size_t{1} << d_->pending.size()); ++subset) {
      auto names = d_->durable;
      for (std::size_t i = 0; i < d_->pending.size(); ++i)
        if (subset >> i & 1U) d_->pending[i].apply(names);
      for (const int content : {0, 1, 2}) {
        Image image;
        for (const auto& [path, inode] : names)
          image[path] = content == 0                   ? inode->durable
                        : content == 1                 ? inode->now
                        : inode->now == inode->durable ? inode->now
                                                       : inode->now.substr(0, inode->now.size() / 2);
        images.insert(image);
      }
    }
    return images;
  }

  /// What a program sees now.
  Image now() const {
    Image image;
    for (const auto& [path, inode] : d_->now) image[path] = inode->now;
    return image;
  }

  int open_read(const std::string& path) const { return dead() ? -1 : open(path); }
  int open_folder(const std::string&) const {
    if (dead()) return -1;
    return d_->open[d_->next] = {}, d_->next++;
  }
  int create(const std::string& path, unsigned) const {
    if (dead()) return -1;
    if (d_->now.contains(path)) return errno = EEXIST, -1;
    change({.unset = "", .set = path, .inode = std::make_shared<Inode>()});
    return open(path);
  }
  ssize_t read(int fd, void* to, std::size_t n) const {
    if (dead()) return -1;
    auto& file = d_->open.at(fd);
    n = std::min(n, file.inode->now.size() - file.at);
    std::memcpy(to, file.inode->now.data() + file.at, n);
    file.at += n;
    return static_cast<ssize_t>(n);
  }
  ssize_t write(int fd, const void* from, std::size_t n) const {
    if (dead()) return -1;
    d_->open.at(fd).inode->now.append(static_cast<const char*>(from), n);
    d_->open.at(fd).inode->changed = ++d_->clock;
    return static_cast<ssize_t>(n);
  }
  int sync(int fd) const {
    if (dead()) return -1;
    if (const auto& inode = d_->open.at(fd).inode) return inode->durable = inode->now, 0;
    for (const auto& change : d_->pending) change.apply(d_->durable);
    d_->pending.clear();
    return 0;
  }
  int lock(int) const { return dead() ? -1 : 0; }
  int lock_shared(int) const { return dead() ? -1 : 0; }
  int close(int fd) const {
    d_->open.erase(fd);
    return dead() ? -1 : 0;
  }
  int rename(const std::string& a, const std::string& b) const {
    if (dead()) return -1;
    if (!d_->now.contains(a)) return errno = ENOENT, -1;
    return change({.unset = a, .set = b, .inode = d_->now.at(a)}), 0;
  }
  int remove(const std::string& path) const {
    if (dead()) return -1;
    if (!d_->now.contains(path)) return errno = ENOENT, -1;
    return change({.unset = path, .set = "", .inode = nullptr}), 0;
  }
  int make_folder(const std::string&) const { return dead() ? -1 : 0; }
  int info(const std::string& path, entrain::checkpoint::FileInfo& out) const {
    if (dead()) return -1;
    out = {};
    if (path == "/m") out.exists = out.folder = true;
    if (const auto it = d_->now.find(path); it != d_->now.end()) out = info_in(*it->second);
    return 0;
  }
  int info_of(int fd, entrain::checkpoint::FileInfo& out) const {
    if (dead()) return -1;
    out = info_in(*d_->open.at(fd).inode);
    return 0;
  }

 private:
  struct Inode {
    std::string now, durable;
    std::int64_t changed = 0;
  };
  static entrain::checkpoint::FileInfo info_in(const Inode& inode) {
    entrain::checkpoint::FileInfo info;
    info.exists = info.regular = true;
    info.bytes = static_cast<std::int64_t>(inode.now.size());
    info.changed = inode.changed;
    return info;
  }
  using Names = std::map<std::string, std::shared_ptr<Inode>>;
  struct Change {  // one change of names, which happens as a whole or not at all
    std::string unset, set;
    std::shared_ptr<Inode> inode;
    void apply(Names& names) const {
      if (!unset.empty()) names.erase(unset);
      if (!set.empty()) names[set] = inode;
    }
  };
  struct Open {
    std::shared_ptr<Inode> inode;  // null: a folder
    std::size_t at = 0;
  };
  struct Disk {
    Names now, durable;
    std::vector<Change> pending;
    std::map<int, Open> open;
    int next = 3, calls = 0, dies_at = 0;
    std::int64_t clock = 0;
  };

  bool dead() const {
    if (d_->calls++ < d_->dies_at) return false;
    return errno = EIO, true;
  }
  int open(const std::string& path) const {
    const auto it = d_->now.find(path);
    if (it == d_->now.end()) return errno = ENOENT, -1;
    d_->open[d_->next] = {it->second, 0};
    return d_->next++;
  }
  void change(const Change& c) const {
    c.apply(d_->now);
    d_->pending.push_back(c);
  }

  std::shared_ptr<Disk> d_;
};

}  // namespace test
