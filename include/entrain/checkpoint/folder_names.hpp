// text > batch > embed > encode > head > optim > [checkpoint]
//
// The names in a folder. std::filesystem::directory_iterator is not used, because libstdc++ ends the program in it when
// memory is exhausted.
#pragma once
#include <dirent.h>

#include <memory>
#include <string>
#include <vector>

namespace entrain::checkpoint {

/// Adds the names in a folder, `.` and `..` among them. returns false if the folder cannot be read, with errno
inline bool add_names_in(const std::string& folder, std::vector<std::string>& to) {
  struct Close {
    void operator()(DIR* open) const { ::closedir(open); }
  };
  const std::unique_ptr<DIR, Close> open(::opendir(folder.c_str()));
  if (open == nullptr) return false;
  while (const dirent* const entry = ::readdir(open.get())) to.emplace_back(entry->d_name);
  return true;
}

}  // namespace entrain::checkpoint
