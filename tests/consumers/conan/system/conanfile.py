# A recipe for each requirement of conan/conanfile.py that wraps the library which the system has installed, for a machine without a remote:
#
#   conan create tests/consumers/conan/system --name eigen --version 3.4.0
from conan import ConanFile

LIBRARIES = {  # name: name of its file for find_package, its target, folders of headers, libraries
    "eigen": ("Eigen3", "Eigen3::Eigen", ["/usr/include/eigen3"], []),
    "cli11": ("CLI11", "CLI11::CLI11", [], []),
    "nlohmann_json": ("nlohmann_json", "nlohmann_json::nlohmann_json", [], []),
    "zlib": ("ZLIB", "ZLIB::ZLIB", [], ["z"]),
    "zstd": ("zstd", "zstd::libzstd_shared", [], ["zstd"]),
    "onednn": ("oneDNN", "DNNL", [], ["dnnl"]),
}


class SystemConan(ConanFile):
    description = "A library of the system, for tests without a remote"
    license = "LicenseRef-of-the-system"
    package_type = "shared-library"
    settings = "os", "arch", "compiler", "build_type"

    def package_id(self):
        self.info.clear()

    def package_info(self):
        file, target, includes, libraries = LIBRARIES[self.name]
        self.cpp_info.set_property("cmake_file_name", file)
        self.cpp_info.set_property("cmake_target_name", target)
        self.cpp_info.set_property("cmake_find_mode", "both")
        self.cpp_info.includedirs = includes
        self.cpp_info.bindirs = []
        self.cpp_info.libdirs = []
        self.cpp_info.system_libs = libraries
