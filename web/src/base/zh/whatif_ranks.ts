// What if and the critical path over the ranks of a job.
import type { ProgramWords } from "../translate";

export const whatIfRanks: ProgramWords = {
  "What if, over ranks": "假如（跨 rank）",
  "Critical path over ranks": "关键路径（跨 rank）",
  "How long a step of the job would take if a rank, or something on all ranks, were faster.":
    "假如某个 rank 或所有 rank 上的某事物更快，作业的 Step 将需要多长时间。",
  "Which piece of which rank each step of the job waited for.": "作业的每个 Step 等待了哪个 rank 的哪一段。",
  "chain of binding dependencies over all ranks": "跨所有 rank 的约束依赖链",
  "The rank that the piece is on": "该段所在的 rank",
  "Critical path of this rank": "此 rank 的关键路径",
  "By rank": "按 rank",
  "By rank and kind": "按 rank 与类别",
  "By rank and name": "按 rank 与名称",
  "Where the piece begins, on the clock of the first rank.": "该段的开始，按第一个 rank 的时钟。",
  "Where the timeline of the rank shows it.": "该 rank 的时间线显示它的位置。",
  "Its length: until all ranks have ended it.": "其时长：直到所有 rank 都结束它。",
  "end - end of the step before it": "结束 - 前一 Step 的结束",
  "steps of the job": "作业的 Step",
  "sum of lengths of pieces": "各段时长之和",
  "Pieces of its path.": "其路径的段。",
  "Changes of rank": "rank 切换",
  "Number of times that the path moves to another rank, in a collective.":
    "路径在集合通信中转到另一 rank 的次数。",
  "number of changes": "切换次数",
  "Ended by": "最后结束者",
  "The worker that ended the step": "最后结束该 Step 的工作进程",
  "Mean length of the steps of the job.": "作业 Step 的平均时长。",
  "this span has one worker, so there is no other rank to wait for":
    "该时段只有一个工作进程在此：没有它可以等待的其他 rank",
  "the collectives of these ranks ran on the host: only those of devices are joined":
    "这些 rank 的集合通信在主机上运行：只接入设备上的集合通信",
  "no collective of a device is matched across these ranks, so no rank waits for another":
    "这些 rank 之间没有匹配的设备集合通信，因此没有 rank 等待另一个",
  "the recording does not state the root or the sender of the collectives that are matched across these ranks":
    "采集没有说明这些 rank 之间匹配的集合通信的根或发送方",
  "the recording does not state which rank is the root or the sender": "采集没有说明哪个 rank 是根或发送方",
  "the rank that they go to or come from is not here": "数据的去向或来源 rank 不在此处",
  "they are on one rank only, or it is not known which collective of another rank they are":
    "它们只在一个 rank 上，或不知道对应另一 rank 的哪个集合通信",
  "they ran on the host, where it is not recorded which thread waits for them":
    "它们在主机上运行，而采集没有说明哪个线程等待它们",
  "Longest on": "最长段所在",
  "The rank that the longest piece is on": "最长的一段所在的 rank",
  "the ranks run their collectives in contradicting orders, so none of them can be joined":
    "各 rank 的集合通信次序相互矛盾，因此都无法接入",
  "the ranks have no step of the same number": "各 rank 没有编号相同的 Step",
  "dependency graphs of the ranks, joined at their collectives": "各 rank 的依赖图，在其集合通信处相接",
  "Mean length of the job's steps: from the end of the step before it on all ranks to its own end on all ranks.":
    "作业 Step 的平均时长：从前一 Step 在所有 rank 上结束，到它自身在所有 rank 上结束。",
  "Calls, ends of waits, marks of steps and device work, of all ranks.":
    "所有 rank 的调用、等待的结束、Step 标记与设备任务。",
  "How far the replay without any change moves a node of any rank. It checks the bookkeeping of the replay; it does not show how true a prediction is.":
    "不作改动的重放使任一 rank 的节点移动多少。它检查重放的记账，并不说明预测有多准。",
  "Collectives joined": "已接入的集合通信",
  "Collectives that end on each rank only after the last rank has come to them.":
    "在每个 rank 上都要等最后一个 rank 到达之后才结束的集合通信。",
  "Not joined": "未接入",
  "Other collectives that are matched across ranks: they keep their length.":
    "其他跨 rank 匹配的集合通信：其时长保持不变。",
  "no collectives of a device in this profile: its ranks cannot be joined":
    "此 profile 中没有设备的集合通信：各 rank 无法相接",
  "replays of the joined dependency graphs": "相接的依赖图的重放",
  "dependency graphs of the ranks": "各 rank 的依赖图",
  "On how many ranks it changes something.": "它在多少个 rank 上有改动。",
  "Time of the device work or of the host that it changes, or the waiting that it removes, of all ranks in the whole recording.":
    "整个采集中所有 rank 上它所改动的设备任务或主机的时间，或它所消除的等待。",
  "Mean length of the job's steps.": "作业 Step 的平均时长。",
  "Gain if the rank were as fast as the others": "假如某 rank 与其他 rank 一样快的收益",
  "Its number in the job": "其在作业中的编号",
  "Mean length of its own steps.": "其自身 Step 的平均时长。",
  "How long it waits in joined collectives for the rank that comes last.":
    "它在已接入的集合通信中等待最后到达的 rank 多久。",
  "sum of (last arrival - own arrival) / number of steps": "（最后到达 - 自身到达）之和 / Step 数",
  "How long all others wait for it, because it comes last.": "由于它最后到达，所有其他 rank 等待它多久。",
  "sum of (own arrival - arrival of the other) / number of steps": "（自身到达 - 另一方到达）之和 / Step 数",
  "Gain if as the median": "如中位数时的收益",
  "How much shorter a step of the job would be if the kernels and the host's code of this rank took as long as those of the other ranks of its role, by their median.":
    "假如此 rank 的内核与主机代码用时与同一角色其他 rank 的中位数相同，作业的 Step 会缩短多少。",
  "others wait longer for other ranks; see the parameter top": "其他 rank 被等待得更久；参见参数 top",
  "The change, for the parameter of this view": "该改动，用于此视图的参数",
  "What if it took the median time": "假如它如中位数",
  "No rank waits for another": "rank 之间互不等待",
  "Transfers take half as long": "传输用时减半",
  "Changes, separated by ';', such as rank:3 as-median, rank:3 host*0.5 or no-waiting; those of What if hold on all ranks":
    "改动，以“;”分隔，如 rank:3 as-median、rank:3 host*0.5 或 no-waiting；“假如”的改动作用于所有 rank",
  "For how many ranks the gain is computed": "为多少个 rank 计算收益",
  "the ranks of this span are sums of a job, without the profiles that could be joined":
    "该时段的各 rank 是作业的汇总，没有可相接的 profile",
};
