# Tests that are scripts; each can also be called alone. A check of tier ci or long may use half of the cores, JOBS of them, so that two run
# at a time: most of them have times at which they compile a single file. ONE_CORE: it never uses more than one. ALONE: it measures times, so
# it runs without others. Checks with the same BUILD folder run one after the other.

# The target programs_of_ci builds what only the checks of tier ci run. It is not part of `all`, so that a first build
# takes less time.
#
# entrain_check(NAME [TIER ci|long] [MINUTES n] [ONE_CORE|ALONE] [BUILD name] [PROGRAMS] [SECONDS n] [TURN 0|1] COMMAND ...)
#
# TURN: it runs on every second commit (scripts/by_turns.sh). The two turns take about the same time, and where two checks find much the
# same faults, as those of two compilers, each has one turn.
# PROGRAMS: it runs a program of programs_of_ci. SECONDS: about how long it takes on one core; what takes longest starts first.
cmake_host_system_information(RESULT half QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR half "(${half} + 1) / 2")
function(entrain_check name)
  cmake_parse_arguments(PARSE_ARGV 1 check "ONE_CORE;ALONE;PROGRAMS" "TIER;MINUTES;BUILD;SECONDS;TURN" "COMMAND")
  if(DEFINED check_TURN)
    list(PREPEND check_COMMAND "${PROJECT_SOURCE_DIR}/scripts/by_turns.sh" ${check_TURN})
  endif()
  add_test(NAME ${name} COMMAND ${check_COMMAND} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES SKIP_RETURN_CODE 77)  # scripts/not_checked.sh
  if(check_TIER)
    set_tests_properties(${name} PROPERTIES LABELS ${check_TIER})
    if(check_ALONE)
      set_tests_properties(${name} PROPERTIES RUN_SERIAL ON)
    elseif(NOT check_ONE_CORE)
      set_tests_properties(${name} PROPERTIES PROCESSORS ${half} ENVIRONMENT JOBS=${half})
    endif()
  endif()
  if(check_PROGRAMS)
    set_tests_properties(${name} PROPERTIES FIXTURES_REQUIRED programs_of_ci)
  endif()
  if(check_SECONDS)
    set_tests_properties(${name} PROPERTIES COST ${check_SECONDS})
  endif()
  if(check_BUILD)
    set_tests_properties(${name} PROPERTIES RESOURCE_LOCK ${check_BUILD})
  endif()
  if(check_MINUTES)
    math(EXPR seconds "${check_MINUTES} * 60")
    set_tests_properties(${name} PROPERTIES TIMEOUT ${seconds})
  endif()
endfunction()
set(scripts "${PROJECT_SOURCE_DIR}/scripts")
set(proofs "${PROJECT_SOURCE_DIR}/tests/proofs")

# Checks of the source tree itself.
entrain_check(rules COMMAND "${proofs}/rules.sh" --tree)
entrain_check(rules_planted TIER ci ONE_CORE COMMAND "${proofs}/rules.sh")
entrain_check(by_turns COMMAND "${proofs}/by_turns.sh")
entrain_check(extending_alone COMMAND "${proofs}/extending.sh")
entrain_check(links COMMAND "${scripts}/check/links.sh")
entrain_check(snippets COMMAND "${scripts}/check/snippets.sh")
entrain_check(corpus COMMAND "${PROJECT_SOURCE_DIR}/tests/corpus/check_corpus_test.sh")
entrain_check(format TIER ci COMMAND "${PROJECT_SOURCE_DIR}/dev" format --check)

# The tables of code points must equal those of Python's unicodedata. A Python with another Unicode version cannot check
# them: skipped.
find_program(ENTRAIN_PYTHON3 python3)
if(ENTRAIN_PYTHON3)
  entrain_check(unicode_tables TIER ci ONE_CORE COMMAND "${ENTRAIN_PYTHON3}" "${scripts}/generate/unicode_tables.py" --check)
endif()
entrain_check(precisions TIER ci TURN 1 MINUTES 20 BUILD default SECONDS 300 COMMAND "${proofs}/precisions.sh")
entrain_check(readme TIER ci COMMAND "${scripts}/check/readme.sh")
entrain_check(questions TIER ci MINUTES 20 BUILD default SECONDS 150 COMMAND "${scripts}/check/questions.sh")  # by ./dev
# A number of inputs, not a time, so that every machine tests the same ones. The long tier tests 2,000,000.
entrain_check(fuzz TIER ci TURN 0 MINUTES 20 SECONDS 170 COMMAND "${scripts}/fuzz.sh" --runs 8000)
entrain_check(fuzz_long TIER long MINUTES 600 COMMAND "${scripts}/fuzz.sh" --runs 2000000)

# Other compilers, sanitizers. The programs of every commit include most headers, with g++ and with clang.
entrain_check(headers_gcc TIER ci TURN 0 MINUTES 30 SECONDS 210 COMMAND "${scripts}/check/headers.sh" g++ --by-module --alone 4)
entrain_check(headers_gcc_alone TIER long MINUTES 30 COMMAND "${scripts}/check/headers.sh" g++)
entrain_check(headers_clang TIER ci TURN 1 MINUTES 30 COMMAND "${scripts}/check/headers.sh" clang++-19 --by-module)
# The sanitizers are clang's, so it compiles all modules, for this machine's CPU. The modules that compute at -O2, for registers of 32 bytes:
# suite_avx2.
# Each half of the modules has a turn: those that link entrain::compiled, which takes longest to compile, and the others.
set(compiled_modules app c checkpoint predict report train vectors)
set(header_modules ${modules})
list(REMOVE_ITEM header_modules ${compiled_modules})
list(APPEND header_modules extending)
entrain_check(sanitize_headers TIER ci TURN 0 MINUTES 60 SECONDS 800 COMMAND "${scripts}/check/suite.sh" sanitize ${header_modules})
entrain_check(sanitize_compiled TIER ci TURN 1 MINUTES 60 SECONDS 1100
  COMMAND "${scripts}/check/suite.sh" sanitize ${compiled_modules})
entrain_check(starved_sanitize TIER ci TURN 1 ALONE COMMAND "${scripts}/check/suite.sh" sanitize starved)
set_tests_properties(starved_sanitize PROPERTIES DEPENDS sanitize_compiled)
entrain_check(suite_threads TIER ci TURN 1 MINUTES 30 SECONDS 330 COMMAND "${scripts}/check/suite.sh" threads device batch layer predict c)
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")  # registers narrower than this machine's
  entrain_check(suite_sse TIER ci TURN 1 MINUTES 30 SECONDS 230 COMMAND "${scripts}/check/suite.sh" sse core kernel layer checkpoint)
  entrain_check(suite_avx2 TIER ci TURN 0 MINUTES 60 SECONDS 150 COMMAND "${scripts}/check/suite.sh" avx2 core kernel layer embed head optim)
else()
  entrain_check(suite_clang TIER ci MINUTES 60 SECONDS 150 COMMAND "${scripts}/check/suite.sh" clang core kernel layer embed head optim)
endif()

# Sources that nvcc must compile, and sources that every compiler must refuse with a message.
entrain_check(refusals TIER ci TURN 1 MINUTES 30 SECONDS 350 COMMAND "${PROJECT_SOURCE_DIR}/tests/refusals/check.sh" "${CMAKE_CXX_COMPILER}")
entrain_check(refusals_clang TIER ci TURN 0 MINUTES 30 SECONDS 300 COMMAND "${PROJECT_SOURCE_DIR}/tests/refusals/check.sh" clang++-19)
entrain_check(refusals_planted TIER ci COMMAND "${PROJECT_SOURCE_DIR}/tests/proofs/refusals_planted.sh" "${CMAKE_CXX_COMPILER}")
entrain_check(refusals_planted_clang TIER ci COMMAND "${PROJECT_SOURCE_DIR}/tests/proofs/refusals_planted.sh" clang++-19)
entrain_check(refusals_nvcc TIER long MINUTES 20 COMMAND "${PROJECT_SOURCE_DIR}/tests/refusals/check.sh" nvcc)
entrain_check(nvcc TIER ci TURN 1 MINUTES 20 SECONDS 250 COMMAND "${scripts}/check/nvcc.sh")

# Programs that take long to build and that most users do not need.
add_custom_target(programs_of_ci)  # bench/CMakeLists.txt adds to it
entrain_check(programs_of_ci TIER ci MINUTES 30 BUILD default SECONDS 420
  COMMAND "${CMAKE_COMMAND}" --build "${PROJECT_BINARY_DIR}" --target programs_of_ci --parallel ${half})
set_tests_properties(programs_of_ci PROPERTIES FIXTURES_SETUP programs_of_ci)
add_dependencies(programs_of_ci test_ptx test_extending)
set_tests_properties(ptx PROPERTIES LABELS "module;ci" FIXTURES_REQUIRED programs_of_ci)

# Programs that run out of memory: at each allocation of each command. The tests of ./dev test try some of them.
entrain_check(every_allocation TIER long MINUTES 120
  COMMAND "${CMAKE_COMMAND}" -E env ENTRAIN_EVERY_ALLOCATION=1 $<TARGET_FILE:test_app> "-tc=*k-th allocation*")

# Folders that fine-tuning saves, opened in transformers.
entrain_check(transformers TIER long MINUTES 60 BUILD default COMMAND "${scripts}/check/transformers.sh")

# Proofs of the shape: the machine code and the behaviour of the quick start's trainer, each also with planted
# violations.
function(entrain_proof name source)
  add_executable(${name} "${proofs}/${source}.cpp")
  target_link_libraries(${name} PRIVATE entrain::compiled entrain::native entrain_strict)
  target_compile_options(${name} PRIVATE -g1)
endfunction()
entrain_proof(proof_step step)
entrain_proof(proof_allocations allocations)
set_target_properties(proof_step proof_allocations PROPERTIES EXCLUDE_FROM_ALL ON)
add_dependencies(programs_of_ci proof_step proof_allocations)
foreach(plant RANGE 2)
  entrain_proof(planted_symbols_${plant} planted_symbols)
  target_compile_definitions(planted_symbols_${plant} PRIVATE PLANT=${plant})
endforeach()
entrain_check(symbols_planted COMMAND "${proofs}/symbols_planted.sh" $<TARGET_FILE:planted_symbols_0>
  $<TARGET_FILE:planted_symbols_1> $<TARGET_FILE:planted_symbols_2>)
entrain_check(step TIER ci ONE_CORE PROGRAMS COMMAND "${proofs}/step.sh" $<TARGET_FILE:proof_step>)
entrain_check(allocations TIER ci ONE_CORE PROGRAMS COMMAND "${proofs}/allocations.sh" $<TARGET_FILE:proof_allocations>)
if(ENTRAIN_EXAMPLES AND EXISTS "${PROJECT_SOURCE_DIR}/examples/CMakeLists.txt")  # examples come after tests
  entrain_check(symbols COMMAND "${proofs}/symbols.sh" $<TARGET_FILE:ner_light>)
  entrain_check(same_bits COMMAND "${proofs}/same_bits.sh" $<TARGET_FILE:ner_light>)
  entrain_check(readme_outputs TIER ci ONE_CORE PROGRAMS MINUTES 20
    COMMAND "${scripts}/check/readme_outputs.sh" $<TARGET_FILE:ner_light> $<TARGET_FILE:spacy_ner>)
  entrain_check(own_stage TIER ci ONE_CORE PROGRAMS COMMAND "${proofs}/own_stage.sh" $<TARGET_FILE:own_stage>)
  entrain_check(own_parts TIER ci ONE_CORE PROGRAMS COMMAND "${proofs}/own_parts.sh" $<TARGET_FILE:own_parts>)
  entrain_check(examples TIER ci ONE_CORE PROGRAMS
    COMMAND "${proofs}/examples.sh" $<TARGET_FILE_DIR:library> $<TARGET_FILE:ner_light>)
  entrain_check(word_vectors TIER ci ONE_CORE PROGRAMS COMMAND "${proofs}/word_vectors.sh" $<TARGET_FILE:word_vectors>)
  entrain_check(own_device TIER ci ONE_CORE PROGRAMS
    COMMAND "${proofs}/own_device.sh" $<TARGET_FILE:own_device> $<TARGET_FILE:ner_light>)
  entrain_check(spacy TIER long PROGRAMS MINUTES 30
    COMMAND "${scripts}/check/spacy.sh" $<TARGET_FILE:ner_light> $<TARGET_FILE:spacy_ner>)
  entrain_check(trace TIER long MINUTES 10 COMMAND "${scripts}/check/trace.sh" $<TARGET_FILE:ner_light>)
endif()
set(tiny_bert "${PROJECT_SOURCE_DIR}/tests/train/golden/bert")  # a transformer of two blocks, 16 wide
entrain_add_trainer(tiny_bert CONFIG "${tiny_bert}/config.json")
set_target_properties(tiny_bert PROPERTIES EXCLUDE_FROM_ALL ON)
add_dependencies(programs_of_ci tiny_bert)
entrain_check(same_bits_bert TIER ci ONE_CORE PROGRAMS COMMAND "${proofs}/same_bits.sh" $<TARGET_FILE:tiny_bert> "${tiny_bert}")

# Installs and uses entrain as other projects do; mutates its code.
entrain_check(consumers TIER ci MINUTES 30 SECONDS 350 COMMAND "${PROJECT_SOURCE_DIR}/tests/consumers/check.sh")
entrain_check(packages TIER ci TURN 0 MINUTES 30 SECONDS 120 COMMAND "${PROJECT_SOURCE_DIR}/tests/consumers/packages.sh")
entrain_check(packaging TIER ci TURN 0 MINUTES 30 SECONDS 200 COMMAND "${scripts}/check/packaging.sh")  # docs/packaging.md
entrain_check(metadata TIER ci ONE_CORE COMMAND "${scripts}/check/metadata.sh")
entrain_check(compile_time TIER ci ALONE COMMAND "${scripts}/check/compile_time.sh" 22)  # the limit is 15, on an idle machine
entrain_check(compile_time_finetune TIER ci ALONE  # and here 20
  COMMAND "${scripts}/check/compile_time.sh" 27 examples/04_finetune_ner/main.cpp)
entrain_check(compile_time_vectors TIER ci ALONE COMMAND "${scripts}/check/compile_time.sh" 20 examples/07_word_vectors/main.cpp)
entrain_check(mutants_sample TIER ci TURN 1 MINUTES 60 COMMAND "${scripts}/mutate/mutate.sh" --sample 4)
# Every reason for a surviving GPU mutant must name an existing line. The mutants themselves run only in the long tier.
entrain_check(mutants_cuda_reasons TIER ci ONE_CORE
  COMMAND "${CMAKE_COMMAND}" -E env "MUTATE_DIR=${PROJECT_BINARY_DIR}/mutants_listed" "${scripts}/mutate/mutate_cuda.sh" --list)
entrain_check(mutants_planted TIER long MINUTES 20 COMMAND "${proofs}/mutants_planted.sh")
entrain_check(mutants TIER long MINUTES 600 COMMAND "${scripts}/mutate/mutate.sh")
entrain_check(mutants_cuda TIER long MINUTES 900 COMMAND "${scripts}/mutate/mutate_cuda.sh")

include(EntrainCudaChecks)
