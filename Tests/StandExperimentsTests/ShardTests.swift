import JuiceStand
import StandExperiments
import Testing
import TextFormats

@Suite(.timeLimit(.minutes(60)))
struct ShardTests {
    struct Reading: Sendable, CustomTestStringConvertible {
        var option: String?
        var environment: [String: String]
        var index: Int
        var count: Int
        var testDescription: String { "\(option ?? "no option"), \(environment)" }
    }

    @Test(arguments: [
        Reading(option: "1/1", environment: [:], index: 1, count: 1),
        Reading(option: "2/8", environment: [:], index: 2, count: 8),
        // What stands in the option needs no environment, and heeds none.
        Reading(option: "2/8", environment: ["PARALLEL_SEQ": "5", "SLURM_ARRAY_TASK_ID": "7"], index: 2, count: 8),
        Reading(option: "/8", environment: ["PARALLEL_SEQ": "5"], index: 5, count: 8),
        Reading(option: "/8", environment: ["JOB_COMPLETION_INDEX": "0"], index: 1, count: 8),
        Reading(option: "/8", environment: ["JOB_COMPLETION_INDEX": "7"], index: 8, count: 8),
        Reading(option: "/8", environment: ["PARALLEL_SEQ": "", "JOB_COMPLETION_INDEX": "3"], index: 4, count: 8),
        // --array=0-3, 1-4, 5-20:5
        Reading(option: "/4", environment: ["SLURM_ARRAY_TASK_ID": "3"], index: 4, count: 4),
        Reading(
            option: nil,
            environment: [
                "SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_MAX": "4",
                "SLURM_ARRAY_TASK_COUNT": "4",
            ], index: 1, count: 4),
        Reading(
            option: nil,
            environment: [
                "SLURM_ARRAY_TASK_ID": "15", "SLURM_ARRAY_TASK_MIN": "5", "SLURM_ARRAY_TASK_STEP": "5",
                "SLURM_ARRAY_TASK_COUNT": "4",
            ], index: 3, count: 4),
        Reading(
            option: "/4",
            environment: ["SLURM_ARRAY_TASK_ID": "9", "SLURM_ARRAY_TASK_MIN": "8", "SLURM_ARRAY_TASK_COUNT": "4"],
            index: 2, count: 4),
    ])
    func `a shard is read from the option and from the environment of a batch system`(reading: Reading) throws {
        let shard = try Shard.read(option: reading.option, environment: reading.environment)
        #expect(shard == Shard(index: reading.index, count: reading.count))
    }

    @Test func `without an option or an array there is no shard`() throws {
        #expect(try Shard.read(option: nil, environment: [:]) == nil)
        // GNU parallel and Kubernetes number every job, shard or not: the option has to ask for it.
        #expect(try Shard.read(option: nil, environment: ["PARALLEL_SEQ": "3", "JOB_COMPLETION_INDEX": "2"]) == nil)
    }

    struct Mistake: Sendable, CustomTestStringConvertible {
        var option: String?
        var environment: [String: String]
        var message: String
        var testDescription: String { "\(option ?? "no option"), \(environment)" }
    }

    @Test(arguments: [
        Mistake(option: "3", environment: [:], message: #"--shard must be I/N or /N, such as 2/8, found "3""#),
        Mistake(option: "1/0", environment: [:], message: #"--shard must be I/N or /N, such as 2/8, found "1/0""#),
        Mistake(option: "1/2/3", environment: [:], message: #"--shard must be I/N or /N, such as 2/8, found "1/2/3""#),
        Mistake(option: "", environment: [:], message: #"--shard must be I/N or /N, such as 2/8, found """#),
        Mistake(option: "9/8", environment: [:], message: #"--shard: the index must be from 1 to 8, found "9""#),
        Mistake(option: "0/8", environment: [:], message: #"--shard: the index must be from 1 to 8, found "0""#),
        Mistake(option: "x/8", environment: [:], message: #"--shard: the index must be from 1 to 8, found "x""#),
        Mistake(
            option: "/8", environment: [:],
            message:
                "--shard /8 needs PARALLEL_SEQ, JOB_COMPLETION_INDEX or SLURM_ARRAY_TASK_ID in the environment, found none"
        ),
        Mistake(
            option: "/8", environment: ["PARALLEL_SEQ": "9"],
            message: "PARALLEL_SEQ: the index must be from 1 to 8, found 9"),
        Mistake(
            option: "/8", environment: ["PARALLEL_SEQ": "0"],
            message: "PARALLEL_SEQ: the index must be from 1 to 8, found 0"),
        Mistake(
            option: "/8", environment: ["JOB_COMPLETION_INDEX": "8"],
            message: "JOB_COMPLETION_INDEX: the index must be from 1 to 8, found 9"),
        Mistake(
            option: "/8", environment: ["PARALLEL_SEQ": "two"],
            message: #"PARALLEL_SEQ must be a whole number up to 2147483647, found "two""#),
        Mistake(
            option: "/8", environment: ["PARALLEL_SEQ": "1", "JOB_COMPLETION_INDEX": "1"],
            message:
                "--shard /8 is ambiguous: PARALLEL_SEQ and JOB_COMPLETION_INDEX are set; give --shard I/8"
        ),
        Mistake(
            option: nil, environment: ["SLURM_ARRAY_TASK_ID": "1"],
            message: "SLURM_ARRAY_TASK_ID is set without SLURM_ARRAY_TASK_COUNT; give --shard /N"),
        Mistake(
            option: "/8", environment: ["SLURM_ARRAY_TASK_ID": "1", "SLURM_ARRAY_TASK_COUNT": "4"],
            message: "--shard /8 does not fit SLURM_ARRAY_TASK_COUNT, which is 4"),
        // --array=1,5,6: no even steps
        Mistake(
            option: nil,
            environment: ["SLURM_ARRAY_TASK_ID": "5", "SLURM_ARRAY_TASK_MIN": "1", "SLURM_ARRAY_TASK_COUNT": "3"],
            message:
                "SLURM_ARRAY_TASK_ID is 5, the first is 1, and there are 3: the array's indices must be consecutive"
        ),
    ])
    func `refuses an ambiguous or invalid shard`(mistake: Mistake) {
        #expect {
            try Shard.read(option: mistake.option, environment: mistake.environment)
        } throws: { error in
            (error as? TextProblem)?.message == mistake.message
        }
    }

    @Test func `every task belongs to exactly one shard`() throws {
        for count in 1...7 {
            let shards = try (1...count).map { try #require(Shard(index: $0, count: count)) }
            for task in 0..<20 { #expect(shards.filter { $0.runs(task: task) }.count == 1) }
        }
        #expect(
            Shard(index: 0, count: 3) == nil && Shard(index: 4, count: 3) == nil && Shard(index: 1, count: 0) == nil)
    }
}
