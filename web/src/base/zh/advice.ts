// The advice of the overview: what was found, the figures, what to try.
import type { ProgramWords } from "../translate";

export const advice: ProgramWords = {
  "One process drives several devices": "一个进程驱动多个设备",
  "Use one process per device (DistributedDataParallel): it avoids copying the model each step and the interpreter's lock.":
    "每个设备使用一个进程（DistributedDataParallel）：可避免每个 Step 复制模型，也避免解释器锁。",
  "Gradients travel through the host": "梯度经由主机传输",
  "Distributed training on a device was recorded with communication on the host, and no collective ran on the device.":
    "记录到设备上的分布式训练在主机侧通信，设备上没有运行集合通信。",
  "Choose a communication back end that exchanges directly between devices (NCCL on NVIDIA GPUs, its counterpart elsewhere).":
    "选择在设备间直接交换数据的通信后端（NVIDIA GPU 上用 NCCL，其他设备用相应的通信库）。",
  "Low device utilization": "设备利用率低",
  "Find what the device waits for in the step breakdown first; a larger batch raises utilization when memory allows, but can change convergence.":
    "先在 Step 时间拆解中找出设备在等什么；内存允许时增大 batch 可提高利用率，但可能影响收敛。",
  "Compute in a lower precision where it is safe (automatic mixed precision, or TF32 for matrix products).":
    "在安全的地方使用较低精度计算（自动混合精度，或矩阵乘使用 TF32）。",
  "Device memory is nearly full": "设备内存接近用满",
  "Recompute activations instead of keeping them (checkpointing), use mixed precision, or shard the model; a fuller device spends time on freeing and retrying.":
    "重计算激活而不保存（checkpointing）、使用混合精度，或切分模型；设备内存过满会把时间花在释放与重试上。",
  "Most kernels are tiny": "多数内核过小",
  "Fuse elementwise work (compile the model, or use fused optimizers and layers), or batch small operations together.":
    "融合逐元素运算（编译模型，或使用融合的优化器与层），或把小操作合并成批。",
  "Steps wait for data loading": "Step 在等待数据加载",
  "Load batches in background workers (num_workers of a DataLoader, num_parallel_calls of tf.data), prefetch more of them, or make decoding and augmentation cheaper.":
    "用后台进程加载数据（DataLoader 的 num_workers，或 num_parallel_calls）、预取更多批次，或降低解码与增强的开销。",
  "Communication is not hidden behind computation": "通信没有被计算掩盖",
  "The device waits for launches": "设备在等待下发",
  "Launch less often: fuse operators (compile the model), capture the step in a graph and replay it, or use a larger batch.":
    "减少下发次数：融合算子（编译模型）、把 Step 捕获为图并重放，或增大 batch。",
  "The device idles while the host works": "主机工作时设备空闲",
  "See what the host does there: copies back to the host, waiting for results, logging, or Python code between launches. Move it off the step's path or do it less often.":
    "查看主机此时在做什么：拷回主机、等待结果、写日志，或下发之间的 Python 代码。把它移出 Step 的关键路径，或减少次数。",
  "Compare its parts with its neighbours': checkpoints, evaluation, a recompilation, garbage collection or an unlucky batch show up there.":
    "把它的各部分与相邻 Step 比较：保存检查点、评估、重新编译、垃圾回收或特殊的批次会显现出来。",
  "Hand-written kernels are a small part of the program": "手写内核只占程序的一小部分",
  "Before you tune them further, see in the Kernels view, grouped by line of source, what takes the rest of the time.":
    "继续调优之前，先在内核视图中按源码行分组，查看其余时间花在何处。",
  "use one process per device": "每个设备用一个进程",
  "communicate directly between devices": "在设备之间直接通信",
  "find what the device waits for": "找出设备在等什么",
  "use less device memory": "减少设备内存占用",
  "fuse small kernels: compile the model": "融合小内核：编译模型",
  "Much of the kernel time only moves data": "大量内核时间只在搬运数据",
  "fuse elementwise work and copies: compile the model": "融合逐元素运算与拷贝：编译模型",
  "Such kernels wait for memory: fuse them (compile the model, or use fused norms, activations, attention and optimizers), avoid copies (contiguous(), cat(), casts), and use a lower precision.":
    "这类内核受内存限制：融合它们（编译模型，或使用融合的归一化、激活、注意力与优化器），避免拷贝（contiguous()、cat()、类型转换），并使用较低精度。",
  "load batches in worker processes (num_workers)": "用工作进程加载批次（num_workers）",
  "find the rank that the others wait for, then overlap communication":
    "找出其他 rank 等待的那个 rank，再重叠通信",
  "Part of it may be waiting for a slower rank: the Distributed view names the rank that arrives last. Overlap the rest with the backward pass, accumulate gradients over several batches, compress gradients, or use a larger batch with an optimizer made for it; the latter three can change convergence.":
    "其中一部分可能是在等待较慢的 rank：分布式视图指出最后到达的 rank。其余部分可与反向重叠、跨多个批次累积梯度、压缩梯度，或增大 batch 并配合相应的优化器；后三者可能影响收敛。",
  "overlap communication with computation": "让通信与计算重叠",
  "Overlap it with the backward pass, accumulate gradients over several batches, compress gradients, or use a larger batch with an optimizer made for it; the latter three can change convergence.":
    "与反向重叠、跨多个批次累积梯度、压缩梯度，或增大 batch 并配合相应的优化器；后三者可能影响收敛。",
  "Go to the longest wait": "转到最长的等待",
  "Go to small collectives": "转到小的集合通信",
  "Copies are not hidden behind computation": "拷贝没有被计算掩盖",
  "copy asynchronously from pinned memory, or not at all": "从锁页内存异步拷贝，或不拷贝",
  "Keep data on the device; copy what is left from pinned memory on a separate stream (non_blocking=True) while kernels run.":
    "让数据留在设备上；其余的在内核运行时从锁页内存经单独的流拷贝（non_blocking=True）。",
  "launch less often: compile the model, or replay a graph": "减少下发：编译模型或重放图",
  "Go to the longest gap": "转到最长的空隙",
  "shorten the host's work between launches": "缩短下发之间的主机工作",
  "See which calls take it and from where they are made: more threads, a lower precision, fewer calls, or a device.":
    "查看是哪些调用、从何处发起：使用更多线程、较低精度、更少的调用，或使用设备。",
  "record after the warm-up, and look at the rest": "在预热之后采集，并查看其余部分",
  "Begin the recording when the program runs evenly (schedule(wait, warmup) of torch.profiler), or look only at the time after this gap: drag over it on the timeline.":
    "在程序稳定运行后再开始采集（torch.profiler 的 schedule(wait, warmup)），或只看此空隙之后的时间：在时间线上拖选。",
  "record what the host does meanwhile": "记录主机此时在做什么",
  "Record the host as well, with Python functions (with_stack=True), and more steps; look for input, waiting for other processes, and for events between streams.":
    "同时采集主机，包含 Python 函数（with_stack=True）与更多 Step；查看输入、对其他进程的等待，以及流之间的事件。",
  "let the host run ahead of the device": "让主机跑在设备前面",
  "Let the host run ahead: avoid waiting for results (item(), printing tensors), launch less often, and prefetch the next batch.":
    "让主机跑在前面：避免等待结果（item()、打印张量），减少下发次数，并预取下一批次。",
  "Go to the step": "转到该 Step",
  "raise num_workers": "增大 num_workers",
  "The framework compiles while the device waits": "设备等待时框架在编译代码",
  "find out why code is compiled again": "查明代码为何重复编译",
  "Record after the warm-up, when all code is compiled. If it is compiled again and again, the view Compiled code counts the compilations of each frame: mark sizes that change as dynamic, or keep them constant.":
    "预热结束、代码全部编译之后再采集。如果反复编译，视图“编译的代码”统计每个栈帧的编译次数：把变化的尺寸标记为动态，或保持不变。",
  "collect garbage at fixed steps": "在固定的 Step 做垃圾回收",
  "find what stops the host: garbage collection, input, logging, checkpoints":
    "找出什么使主机停顿：垃圾回收、输入、日志、检查点",
  "let the framework's allocator keep device memory": "让框架的分配器保留设备内存",
  "find what requests results from the device": "找出什么在请求设备的结果",
  "normalize within each rank": "在每个 Rank 内归一化",
  "change these settings": "修改这些设置",
  "Open the timeline": "打开时间线",
  "Go to the longest call": "转到最长的调用",
  "Memory copies": "内存拷贝",
  Unexplained: "未解释",
  "no step has a duration": "没有带时长的 Step",
  "no kernels were recorded": "没有记录到内核",
  "no host thread was recorded": "没有记录到主机线程",
  "the step breakdown; work of all devices, and the calls that launched it":
    "Step 时间拆解；所有设备的工作，以及下发它们的调用",
  "What bounds the step": "什么限制了 Step",
  "What most of the step goes to, or what the devices wait for. Computing: a kernel runs. Memory copies: a device only copies or fills. Communication, data loading: as in the step breakdown. Launches: all devices are idle for less than 1 ms, until work that is launched only then. Host: the same for 1 ms or longer, while the host works; without devices, all that the host does. Unexplained: all other time.":
    "Step 的大部分时间用于什么，或设备在等什么。计算：有内核在运行。内存拷贝：设备只在拷贝或填充。通信、数据加载：与 Step 时间拆解相同。下发：所有设备空闲不足 1 ms，直到此时才下发的工作开始。主机：同样，但达到或超过 1 ms，且主机在工作；没有设备时为主机所做的一切。未解释：其余所有时间。",
  "as time": "同时间",
  "The category whose colour the part has": "该部分颜色所属的类别",
  "keep these kernels off the device's CPU": "不要让这些内核在设备的 CPU 上运行",
  "use operators that are compiled already": "使用已编译的算子",
  "tune the tiling of these operators": "调优这些算子的切分",
  "tune or fuse these kernels": "调优或融合这些内核",
  "pad inner axes and fuse small operators": "补齐内轴并融合小算子",
  "check the device's temperature and power limit": "检查设备的温度与功耗上限",
  "let each collective carry more": "让每次集合通信携带更多数据",
  "change what overlaps with communication": "改变与通信重叠的内容",
  "Go to the slowest collective": "转到最慢的集合通信",
  "pad communicated data to multiples of 512 B": "把通信数据补齐到 512 B 的倍数",
  "fill the matrix units": "填满矩阵单元",
  "spread the work of the matrix units over time": "把矩阵单元的工作在时间上摊开",
  "avoid transposes": "避免转置",
  "work on smaller tiles": "使用更小的分块",
  "load each tensor once": "每个张量只加载一次",
  "move more with each copy": "每次拷贝搬运更多数据",
  "see what takes the rest of the time": "查看其余时间花在何处",
  "see which rank came late": "查看哪个 Rank 来晚了",
  "memory copies": "内存拷贝",
  "the host": "主机",
  "the host's operators": "主机算子",
  "not known": "未知",
  Launches: "下发",
  "No known bottleneck pattern matched.": "没有匹配到已知的瓶颈模式。",
  "No known bottleneck pattern matched": "没有匹配到已知的瓶颈模式",
  "No steps were recorded: all of the recording": "没有记录到 Step：整个采集",
  Recorded: "采集时长",
  "Bound by": "受限于",
  First: "首先",
  "At most": "最多",
  "Share of the steps' time in which a kernel runs on the device; mean over devices: see utilization":
    "Step 时间中设备上有内核运行的比例；对设备取平均：见利用率",
  "Largest possible gain per step: the time that the advice is about":
    "每个 Step 最多可节省的时间：该问题所占的时间不会更长",
  Verdict: "结论",
  "The recording": "整个采集",
  "What bounds the step and what to try, how its time was spent, and how busy the devices were.":
    "什么限制了 Step、可尝试什么，时间花在何处，以及设备有多忙。",
  "Collectives are many and small": "集合通信次数多而数据小",
  "merge small collectives into buckets": "把小的集合通信合并为桶",
  "Each collective has a fixed cost: reduce gradients in buckets of 25 MB or more (DistributedDataParallel with bucket_cap_mb), flatten or fuse parameters, coalesce calls that do not depend on one another, or communicate less often.":
    "每次集合通信都有固定开销：以 25 MB 或更大的桶归约梯度（DistributedDataParallel 的 bucket_cap_mb）、展平或融合参数、合并互不依赖的调用，或减少通信次数。",
  "the step": "Step",
  "the recording": "采集时间",
};
