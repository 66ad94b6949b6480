"""How scripts build and run the tests: as scripts/check does, so that nothing is built twice."""
BUILD = "swift build -c release --build-tests --explicit-target-dependency-import-check error"
# Without --skip-build it would build everything again, with internal names visible.
TESTS = "swift test -c release --skip-build --no-parallel"
