import JuiceStand
import StandExperiments
import Testing
import TextFormats

@Suite(.timeLimit(.minutes(60)))
struct ShardTests {
    /// Variables of the environment, written as `NAME=VALUE NAME=VALUE`; `SLURM_` stands for `SLURM_ARRAY_TASK_`.
    private static func read(_ option: String?, _ variables: String) throws(TextProblem) -> Shard? {
        var environment: [String: String] = [:]
        for variable in variables.replacing("SLURM_", with: "SLURM_ARRAY_TASK_").split(separator: " ") {
            let parts = variable.split(separator: "=", omittingEmptySubsequences: false)
            environment[String(parts[0])] = String(parts[1])
        }
        return try Shard.read(option: option, environment: environment)
    }

    @Test(
        arguments: [
            ("1/1", "", 1, 1), ("2/8", "", 2, 8),
            // What stands in the option needs no environment, and heeds none.
            ("2/8", "PARALLEL_SEQ=5 SLURM_ID=7", 2, 8), ("/8", "PARALLEL_SEQ=5", 5, 8),
            ("/8", "JOB_COMPLETION_INDEX=0", 1, 8), ("/8", "JOB_COMPLETION_INDEX=7", 8, 8),
            ("/8", "PARALLEL_SEQ= JOB_COMPLETION_INDEX=3", 4, 8),
            // --array=0-3, 1-4, 5-20:5
            ("/4", "SLURM_ID=3", 4, 4), (nil, "SLURM_ID=1 SLURM_MIN=1 SLURM_MAX=4 SLURM_COUNT=4", 1, 4),
            (nil, "SLURM_ID=15 SLURM_MIN=5 SLURM_STEP=5 SLURM_COUNT=4", 3, 4),
            ("/4", "SLURM_ID=9 SLURM_MIN=8 SLURM_COUNT=4", 2, 4),
        ] as [(String?, String, Int, Int)])
    func `a shard is read from the option and from the environment of a batch system`(
        option: String?, variables: String, index: Int, count: Int
    ) throws {
        #expect(try Self.read(option, variables) == Shard(index: index, count: count))
    }

    @Test func `without an option or an array there is no shard`() throws {
        #expect(try Self.read(nil, "") == nil)
        // GNU parallel and Kubernetes number every job, shard or not: the option has to ask for it.
        #expect(try Self.read(nil, "PARALLEL_SEQ=3 JOB_COMPLETION_INDEX=2") == nil)
    }

    @Test(
        arguments: [
            ("3", "", #"--shard must be I/N or /N, such as 2/8, found "3""#),
            ("1/0", "", #"--shard must be I/N or /N, such as 2/8, found "1/0""#),
            ("1/2/3", "", #"--shard must be I/N or /N, such as 2/8, found "1/2/3""#),
            ("", "", #"--shard must be I/N or /N, such as 2/8, found """#),
            ("9/8", "", #"--shard: the index must be from 1 to 8, found "9""#),
            ("0/8", "", #"--shard: the index must be from 1 to 8, found "0""#),
            ("x/8", "", #"--shard: the index must be from 1 to 8, found "x""#),
            (
                "/8", "",
                "--shard /8 needs PARALLEL_SEQ, JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID in the environment, found "
                    + "none"
            ),
            ("/8", "PARALLEL_SEQ=9", "PARALLEL_SEQ: the index must be from 1 to 8, found 9"),
            ("/8", "PARALLEL_SEQ=0", "PARALLEL_SEQ: the index must be from 1 to 8, found 0"),
            ("/8", "JOB_COMPLETION_INDEX=8", "JOB_COMPLETION_INDEX: the index must be from 1 to 8, found 9"),
            (
                "/8", "PARALLEL_SEQ=two",
                #"PARALLEL_SEQ must be a whole number up to 2147483647, found "two""#
            ),
            (
                "/8", "PARALLEL_SEQ=1 JOB_COMPLETION_INDEX=1",
                "--shard /8 is ambiguous: PARALLEL_SEQ and JOB_COMPLETION_INDEX are set; give --shard I/8"
            ),
            (nil, "SLURM_ID=1", "SLURM_ARRAY_TASK_ID is set without SLURM_ARRAY_TASK_COUNT; give --shard /N"),
            ("/8", "SLURM_ID=1 SLURM_COUNT=4", "--shard /8 does not fit SLURM_ARRAY_TASK_COUNT, which is 4"),
            // --array=1,5,6: no even steps
            (
                nil, "SLURM_ID=5 SLURM_MIN=1 SLURM_COUNT=3",
                "SLURM_ARRAY_TASK_ID is 5, the first is 1, and there are 3: the array's indices must be consecutive"
            ),
        ] as [(String?, String, String)])
    func `refuses an ambiguous or invalid shard`(option: String?, variables: String, message: String) {
        let problem = #expect(throws: TextProblem.self) { try Self.read(option, variables) }
        #expect(problem?.message == message)
    }
}
