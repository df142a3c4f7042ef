// Memory snapshots: memory by stack, segments of the allocator, the difference of two recordings.
import type { ProgramWords } from "../translate";

export const allocator: ProgramWords = {
  // Weighted stacks.
  "Weighted stacks": "带权重的调用栈",
  "Which functions and call paths hold the samples of a file that states stacks with weights and no times.":
    "哪些函数与调用路径占有采样；文件给出带权重的调用栈，没有时间。",
  "the file has no stacks with weights": "文件没有带权重的调用栈",
  "stacks with weights in the file": "文件中带权重的调用栈",
  "sum of the weights of its stacks": "其调用栈的权重之和",
  "sum of the weights of the stacks whose innermost frame it is": "以它为最内层栈帧的调用栈的权重之和",
  "weight / sum of all weights": "权重 / 所有权重之和",
  Weight: "权重",
  Weights: "权重",
  "Self weight": "自身权重",
  "Samples, or what else the file counts, of the frame and what it called.":
    "该栈帧及其所调用内容的采样（或文件所计的其他量）。",
  "The part of it that the frame has itself.": "其中属于该栈帧自身的部分。",
  "Samples, or what else the file counts, with the function anywhere on the stack; each counts once.":
    "调用栈中含有该函数的采样（或文件所计的其他量）；每个只计一次。",
  "The part of it in which the function was innermost.": "其中该函数位于最内层的部分。",
  "Share of all weights.": "占所有权重的份额。",
  "Function and file": "函数与文件",
  "What the weights count; empty: the first that the file has": "权重所计的量；空为文件中的第一种",
  "Which thread's stacks; empty: all threads": "显示哪个线程的调用栈；空为所有线程",
  "Outermost frame first: width is the weight that the file states, not time.":
    "最外层栈帧在最前：宽度为文件给出的权重，不是时间。",
  "No stack has a weight.": "没有调用栈带权重。",

  // Views, panels, tables.
  "Memory by stack": "内存，按调用栈",
  "Which lines of the program hold the memory of a device, at its peak or at any moment, and which hold more after each step.":
    "程序的哪些行占用设备内存（在峰值或任意时刻），以及哪些行在每个 Step 之后占用更多。",
  "Memory segments": "内存段",
  "What the allocator holds, how fragmented it is, whether a request would fit, and why one failed.":
    "分配器持有什么、碎片化程度如何、某个请求能否满足，以及请求为何失败。",
  "Memory difference": "内存差异",
  "The memory of two recordings on one axis, and which lines hold more in one of them.":
    "两次采集的内存放在同一坐标轴上，以及哪些行在其中一次占用更多。",
  "Live memory by stack": "存活内存，按调用栈",
  "Live memory by line": "存活内存，按代码行",
  "Live memory by frame": "存活内存，按栈帧",
  "Leak suspects": "疑似泄漏",
  "Segments at the end of the recording": "采集结束时的段",
  "Would it fit": "能否满足",
  "Would fit": "能否满足",
  "By stream and pool": "按流和池",
  "Segment map": "段分布图",
  Segments: "段",
  "Out of memory": "内存不足",
  "What held the memory": "占用内存者",
  "Failed requests": "失败的请求",
  // Words in cells.
  "no stack recorded": "没有记录调用栈",
  parameter: "参数",
  communication: "通信",
  input: "输入数据",
  forward: "前向",
  backward: "反向",
  optimizer: "优化器",
  parameters: "参数",
  small: "小",
  large: "大",
  allocated: "已分配",
  awaiting_free: "等待释放",
  free: "空闲",
  "Peak allocated": "已分配峰值",
  "Peak reserved": "已保留峰值",
  // Parameters.
  "Lines of the program": "程序的行",
  "Whole stacks": "完整调用栈",
  "Whether blocks of different stacks with the same innermost line are one row":
    "最内层代码行相同、调用栈不同的块是否合为一行",
  "A size, such as 1.5GiB or 4096: whether a request of as many bytes would be served; empty is the last request that failed, or 1 GiB":
    "大小，例如 1.5GiB 或 4096：这么多字节的请求能否满足；留空为最后一个失败的请求，或 1 GiB",
  "Which failed request is explained, counted from 1; 0 is the last":
    "解释哪个失败的请求，从 1 起计；0 为最后一个",
  Moment: "时刻",
  "The peak of each": "各自的峰值",
  "The end of each": "各自的结束",
  "When live memory is compared: at the peak of each recording, or at its end":
    "何时比较存活内存：在每次采集的峰值，或其结束时",
  "What is one row; functions are matched even if their lines have moved":
    "一行代表什么；即使行号变动，函数也能对应",
  // Memory by stack.
  "Time of the last event up to the moment, since the run's origin.":
    "该时刻之前最后一个事件的时间，从运行的起点算起。",
  "All memory allocated at that moment.": "该时刻已分配的所有内存。",
  "With a stack": "有调用栈",
  "The part of it whose allocating stack was recorded.": "其中记录了分配调用栈的部分。",
  "Blocks with a stack": "有调用栈的块",
  "How many blocks that is.": "对应多少个块。",
  "The part of it that was there before the recording and whose stack is unknown.":
    "其中采集前就存在、调用栈未知的部分。",
  "Stacks of the blocks that were allocated at that moment, outermost frame first: width is bytes, not time.":
    "该时刻已分配的块的调用栈，最外层栈帧在前：宽度为字节，不是时间。",
  "Nothing with a stack was allocated at that time.": "当时没有已分配且有调用栈的内存。",
  "The recording is too short to tell.": "采集太短，无法判断。",
  "No line kept more memory after each step.": "没有代码行在每个 Step 之后占用更多内存。",
  "no steps were recorded: by tenths of the recording": "没有记录 Step：按采集的十分之一",
  "Lines that allocate, in two or more steps after the first, memory that is still there at the end of the recording, at least two steps later. A cache that grows to its limit looks the same.":
    "在第一个之后的两个或更多 Step 中分配、且至少两个 Step 之后在采集结束时仍存在的内存所在的代码行。增长到上限的缓存看起来也是如此。",
  "What was allocated is not known at that moment: nothing was recorded up to it, or the file lacks addresses or totals.":
    "该时刻已分配的内存未知：此前没有任何记录，或文件缺少地址或总量。",
  "An estimate by rules: a recording does not say what a block was used for.":
    "按规则估计：采集不说明一个块的用途。",
  "no allocations were recorded": "没有记录内存分配",
  "the allocations were recorded without stacks: a memory snapshot has them if its history was recorded with stacks":
    "内存分配没有记录调用栈：如果内存快照的历史带调用栈采集，则其中有调用栈",
  "stacks of the allocator's events, and of the blocks in use at the end":
    "分配器事件的调用栈，以及结束时使用中的块的调用栈",
  Frame: "栈帧",
  "Function, file and line": "函数、文件和行",
  "Live memory that the frame or what it called allocated.": "该栈帧或其调用的函数分配的存活内存。",
  "Self size": "自身大小",
  "Live memory that the frame allocated itself.": "该栈帧自身分配的存活内存。",
  "Share of the memory allocated at that time.": "占当时已分配内存的比例。",
  "Row of the frame that called it": "调用它的栈帧所在的行",
  "Allocated at": "分配于",
  "The innermost line of the user's program; of a stack without one, the innermost frame":
    "用户程序最内层的代码行；没有时为最内层的栈帧",
  Part: "部分",
  "Part of a training step that the frames tell": "栈帧所表明的训练 Step 的部分",
  "the frames do not tell": "栈帧没有表明",
  "Its live memory.": "它的存活内存。",
  "How many blocks.": "多少个块。",
  "First allocated": "最早分配",
  "When the oldest of them was allocated.": "其中最早的块何时分配。",
  "one was there before the recording": "其中有采集前就存在的块",
  "Frames of the largest part of it, outermost last, joined by ;":
    "其中最大部分的栈帧，最外层在最后，以 ; 连接",
  "Frames of the last of these blocks, outermost last, joined by ;":
    "这些块中最后一个的栈帧，最外层在最后，以 ; 连接",
  // Leak suspects.
  "the allocator's events with their stacks": "分配器的事件及其调用栈",
  Growth: "增长",
  "By how much it grows in a step, or in a tenth of the recording.":
    "每个 Step（或采集的每十分之一）增长多少。",
  "Grew in": "增长于",
  "In how many of these steps, or tenths.": "在其中多少个 Step（或十分之一）中。",
  "Memory that it allocated in these steps, and that is never released.":
    "它在这些 Step 中分配且从未释放的内存。",
  // Difference.
  "the allocator's events of both recordings": "两次采集中分配器的事件",
  "no allocations of a device were recorded in one of the two": "两者之一没有记录设备的内存分配",
  "one of the two was recorded without addresses or totals": "两者之一没有记录地址或总量",
  "When, since the first step or else the start of each recording.":
    "时间，从各自的第一个 Step（否则从采集开始）算起。",
  "Allocated bytes.": "已分配的字节。",
  "not recorded at that time": "当时没有记录",
  "The innermost line, or function, of the user's program; of a stack without one, the innermost frame":
    "用户程序最内层的代码行或函数；没有时为最内层的栈帧",
  "Live memory that it allocated.": "它分配的存活内存。",
  Totals: "总量",
  Total: "总量",
  "What is compared": "比较的内容",
  "The total on both sides.": "两边的总量。",
  "Both recordings on one axis, which begins at the first step of each, or at its start if it has no steps.":
    "两次采集在同一坐标轴上，从各自的第一个 Step 开始；没有 Step 时从采集开始。",
  "at the end of each": "在各自的结束时",
  "at the peak of each": "在各自的峰值",
  "the allocations were recorded without stacks": "内存分配没有记录调用栈",
  // Failures.
  "the allocator's record of the failure": "分配器对失败的记录",
  "Requested at": "请求于",
  "The innermost line of the user's program": "用户程序最内层的代码行",
  Requested: "请求",
  "Bytes requested.": "请求的字节。",
  "Free on the device": "设备空闲",
  "Bytes of the device that no process used.": "设备上没有进程使用的字节。",
  "Stream of the request": "请求的流",
  "Failed at": "失败于",
  Rounded: "取整后",
  "What the allocator looked for.": "分配器寻找的大小。",
  "All that was allocated at that moment.": "该时刻已分配的总量。",
  "All that the allocator held at that moment.": "该时刻分配器持有的总量。",
  "Reserved - allocated: kept for reuse, or too fragmented to be used.":
    "已保留 - 已分配：留待复用，或过于零碎而无法使用。",
  "the file does not state it": "文件没有说明",
  // Segments.
  "the file does not state the segments of the allocator: a memory snapshot does":
    "文件没有说明分配器的段：内存快照会说明",
  "the segments and blocks that the snapshot lists": "快照列出的段和块",
  "the allocator's rules": "分配器的规则",
  "Active, as stated": "活跃（文件所述）",
  "What the file states of the segments: bytes that the program or a stream uses.":
    "文件对段的说明：程序或流使用的字节。",
  "Bytes of all segments.": "所有段的字节。",
  "Bytes of blocks that the program uses.": "程序使用的块的字节。",
  "Awaiting free": "等待释放",
  "Bytes of blocks that the program released and a stream still uses.":
    "程序已释放、但流仍在使用的块的字节。",
  "Bytes of blocks that nothing uses; the allocator keeps them.": "无人使用、由分配器保留的块的字节。",
  "Largest free block": "最大空闲块",
  "No request above this size can be served without new memory.": "超过此大小的请求必须有新内存才能满足。",
  "Free blocks": "空闲块",
  "Into how many blocks the free bytes are divided.": "空闲字节分散在多少个块中。",
  Fragmentation: "碎片化",
  "1 - largest free block / free bytes: 0% if one block holds all that is free.":
    "1 - 最大空闲块 / 空闲字节：如果一个块包含全部空闲字节，则为 0%。",
  "nothing is free": "没有空闲",
  "In unused segments": "未使用的段中",
  "Bytes of segments without a block in use: the allocator can give them back.":
    "没有使用中的块的段的字节：分配器可以归还它们。",
  "Lost to rounding": "取整损失",
  "Bytes of allocated blocks beyond what was requested.": "已分配的块超出请求的字节。",
  "There are no segments.": "没有段。",
  "Each row is a segment, each rectangle a block at its place in the segment.":
    "每行是一个段，每个矩形是位于段中相应位置的一个块。",
  "The file states no blocks.": "文件没有说明块。",
  "What the allocator would do with a request of this size.": "分配器会如何处理这一大小的请求。",
  "the constants of PyTorch's caching allocator, and the blocks at the end of the recording":
    "PyTorch 缓存分配器的常量，以及采集结束时的块",
  "Small segments serve requests up to 1 MiB, large ones all others":
    "小段服务不超过 1 MiB 的请求，大段服务其余请求",
  "Stream whose requests it serves": "其请求由它服务的流",
  Pool: "池",
  "Pool whose requests it serves; 0.0 is the common one": "其请求由它服务的池；0.0 为公共池",
  "How many segments.": "多少个段。",
  "Their bytes.": "它们的字节。",
  "Bytes that the program uses.": "程序使用的字节。",
  "Bytes that the program released and a stream still uses.": "程序已释放、但流仍在使用的字节。",
  "Bytes that nothing uses.": "无人使用的字节。",
  "The largest request that it can serve.": "它能满足的最大请求。",
  "How much of what is free is not in one block.": "空闲部分中有多少不在同一个块里。",
  "Pool of the request; 0.0 is the common one": "请求的池；0.0 为公共池",
  "Size of the request after rounding.": "分配器对请求取整后的大小。",
  Fits: "能满足",
  "Whether a free block is large enough.": "是否有足够大的空闲块。",
  "Block taken": "取用的块",
  "The block that it would get.": "它会得到的块。",
  "none is large enough": "没有足够大的块",
  Address: "地址",
  "Where that block begins": "该块的起始位置",
  "The largest free block.": "最大的空闲块。",
  "All free bytes.": "所有空闲字节。",
  "Needed from the device": "需向设备申请",
  "What the allocator would have to reserve.": "分配器必须保留多少。",
  "a free block is large enough": "有足够大的空闲块",
  "Could be given back": "可归还",
  "Bytes that the allocator releases before the request fails.": "分配器在失败之前归还的内存。",
  "Where it begins": "它的起始位置",
  Expandable: "可扩展",
  "Whether it can grow": "它能否增长",
  "Needed by": "因何需要",
  "The innermost line of the user's program that allocated it, or its state":
    "分配它的用户程序最内层的代码行，或其状态",
  Block: "块",
  Offset: "偏移",
  "Where it begins in its segment.": "它在段中的起始位置。",
  "Its bytes.": "它的字节。",
  "What the program requested.": "程序请求的大小。",
  "it is free, or the file does not state it": "它是空闲的，或文件没有说明",
  State: "状态",
  "allocated, awaiting_free (a stream still uses it) or free":
    "allocated（已分配）、awaiting_free（流仍在使用）或 free（空闲）",
  Segment: "段",
  "Address of its segment": "其段的地址",
  "Kind, stream and pool": "类型、流和池",
  "Kind, stream and pool of its segment": "其段的类型、流和池",
  Colour: "颜色",
  "Category whose colour it has": "其颜色所属的类别",
  // Rules.
  "a request is rounded up to a multiple of 512 bytes; up to 1 MiB it is served from small segments, else from large ones, and only from those of its own stream and pool; it takes the smallest free block that is large enough; if no block fits, the allocator reserves a segment: 2 MiB for small requests, 20 MiB for those below 10 MiB, else the request rounded up to 2 MiB; an expandable segment grows, by units of 2 MiB or 20 MiB, by what its free end lacks; before it fails, the allocator gives back segments without a block in use. Settings that change the rounding or forbid splitting are not applied":
    "请求向上取整到 512 字节的倍数；不超过 1 MiB 的由小段服务，其余由大段服务，且只由其自身的流和池的段服务；取用足够大的最小空闲块；如果没有，分配器保留一个段：小请求为 2 MiB，小于 10 MiB 的为 20 MiB，其余为向上取整到 2 MiB 的请求；可扩展段按 2 MiB 或 20 MiB 为单位增长，增长量为其空闲末端所缺的部分；失败之前，分配器归还没有使用中的块的段。改变取整或禁止拆分的设置不予考虑",
};
