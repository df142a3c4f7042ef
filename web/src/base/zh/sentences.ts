// Scopes, notes, reasons and errors of the views: whole sentences, and patterns with numbers and names in them.
import type { ProgramWords } from "../translate";

export const sentences: ProgramWords = {
  // Parts of sentences.
  "of steps of unknown length": "Step 的长度未知",
  "Check the tags.": "请检查标签。",
  "Values computed from slices are too low; see the stated values.": "由切片计算的结果偏小，请看文件所述。",
  "device time": "设备时间",
  "host time": "主机时间",
  change: "变化",

  // Errors in a file of cost formulas.
  "built-in formulas": "内置公式",
  "a comparison is == or <": "比较应为 == 或 <",
  "the expression is nested too deeply": "表达式嵌套过深",
  "the function 'is' takes the number of an argument and a text in quotes":
    "函数 'is' 应有一个参数序号和一个带引号的文本",
  "a text has no closing quote": "文本缺少结束引号",
  "a closing parenthesis is missing": "缺少右括号",
  "the expression ends where a value is expected": "表达式在应有值的地方结束",
  "a name is empty": "名称为空",
  "the family is empty": "类别为空",

  // Separators in lists.
  ", ": "、",
  "; ": "；",

  // Scopes, part by part.
  "the whole recording (no steps were recorded)": "整个采集（没有记录 Step）",
  "per call of the outermost": "按最外层的每次调用",
  "all calls": "所有调用",
  "at the peak": "峰值时",
  "Node not recorded": "未记录节点",
  "host only": "仅主机",

  "given with --peak": "由 --peak 给出",

  // Notes.
  "No host thread was recorded: what the host did in a step (runtime, data loading, host) is unknown, and counts as Other.":
    "没有记录主机线程：主机在 Step 中做了什么（运行时、数据加载、主机）不得而知，计入其他。",
  "Mark every iteration to see steps: by step() of torch.profiler, or by StepTraceAnnotation of jax.profiler.":
    "标出每次迭代即可看到各 Step：用 torch.profiler 的 step()，或 jax.profiler 的 StepTraceAnnotation。",
  "the extent of all operators and device work": "所有算子与设备任务的范围",
  "That time is part of their preparing, which the bars therefore leave out.":
    "这段时间计入其准备时间，因此条形不包含准备时间。",
  "the extent of all device work": "所有设备任务的范围",
  "the whole recording": "整个采集",
  "This span has one worker. Waiting and transfer need several workers. Put the files of all workers into one folder.":
    "此采集段只有一个工作进程：有多个时才能看到谁在等谁、数据传输多久。请把所有工作进程的文件放到同一目录。",
  "compared profile": "对比数据",
  "These events lie more than a day away from the slices: they belong to another recording.":
    "这些事件与切片相距超过一天：它们来自另一次采集。",
  "what the file states": "文件所述",
  "Work is missing in the file: the verdict is about the rest.": "文件中缺少部分任务：结论只针对其余部分。",
  "No events with a duration in this profile, only the file's own sums of its steps.":
    "这份性能数据没有带时长的事件：只有文件所述的各 Step。",
  "Recorded without device activity: the flame graph shows host time.":
    "没有记录设备活动：火焰图显示主机时间。",

  "The file has only sums, no single kernels, so their names, operators and times are unknown.":
    "文件只有汇总，没有单个内核，因此内核的名称、算子与时间未知。",
  "The file has only sums, no single calls.": "文件只有汇总，没有单个调用。",
  "The file states how long each call took, but not when: so calls are not on the timeline, not divided among steps or modules, and not merged if an operator calls itself.":
    "文件说明了每次调用的用时，但没有说明时刻：无法在时间线上显示、按 Step 或模块划分，也无法合并算子对自身的调用。",

  // Texts of panels that have nothing to draw.
  "None of these calls took this kind of time.": "这些调用都没有占用此类时间。",
  "No call matches.": "没有匹配的调用。",
  "No operator runs in this part.": "此部分没有运行算子。",
  "No kernel was launched in this part.": "此部分没有下发内核。",
  "No step has a duration.": "没有时长不为零的 Step。",
  "No collective was recorded on two workers.": "没有在两个工作进程上都能找到的集合通信。",
  "Who waited for whom is known only with the files of several workers.":
    "只有有了多个工作进程的文件，才能知道谁在等待谁。",
  "No rank waited for another in a collective.": "没有进程在集合通信中等待其他进程。",
  "No collective.": "没有集合通信。",
  "No kernel matches.": "没有匹配的内核。",
  "No range matches.": "没有匹配的区间。",
  "Lightning recorded no module here.": "Lightning 在此没有记录模块。",
  "Lightning recorded no hook here.": "Lightning 在此没有记录钩子。",
  "Nothing was recorded here.": "这里没有记录。",
  "Nothing was allocated or released here.": "这里没有分配或释放。",
  "Nothing was allocated at that time.": "当时没有已分配的内存。",
  "Nothing was recorded up to that time.": "到那时为止没有任何记录。",
  "No operator allocated or released memory here.": "这里没有算子分配或释放内存。",
  "The file has none.": "文件中没有。",
  "No module was called in this step.": "此 Step 没有调用模块。",
  "No call of this operator has a call stack.": "此算子的调用都没有调用栈。",
  "This call has no call stack.": "此调用没有调用栈。",
  "No operator took time here.": "这里没有算子占用时间。",
  "No operator launched device work itself; device total includes what ranges inside operators launched.":
    "没有算子自身下发设备任务；算子内的范围所下发的计入设备总计。",
  "No operator matches the search.": "没有匹配搜索的算子。",
  "Recorded without device activity.": "没有记录设备活动。",
  "No steps.": "没有 Step。",
  "Nothing unusual was found while reading this profile.": "读取这份性能数据时没有发现异常。",
  "Nothing ran in this range on these lanes.": "此范围内这些泳道上没有活动。",
  "The query has no result rows.": "没有符合的行。",
  "The page draws the timeline: start `sightline view`. The metadata view lists its lanes.":
    "时间线由页面绘制：请启动 `sightline view`。元数据视图列出其泳道。",

  // Why a value is unknown.
  "a thread or a frame is not a call: it contains calls": "线程或栈帧不被调用：它包含调用",
  "one of the two was recorded without device activity": "两者之一没有记录设备活动",
  "it is in both": "两者都有",
  "it did not run": "它没有运行",
  "not in this profile": "不在这份性能数据中",
  "the rows of the group differ": "该组各行的值不同",
  "values of several rows have no sum here: show the rows of the group":
    "多行的值在此没有总和：请显示该组的各行",
  "the baseline is 0 or unknown": "基准为 0 或未知",
  "recorded without steps, or without the host or device activity for it":
    "没有记录 Step，或没有记录执行它的主机或设备",
  "recorded without it": "采集时没有记录",
  "recorded without memory events of this device": "没有记录此设备的内存事件",
  "the files do not say": "文件没有说明",
  "the file does not say": "文件没有说明",
  "the file does not say how large they are": "文件没有说明其大小",
  "the file does not say how large it is": "文件没有说明其大小",
  "the file does not describe this device": "文件没有描述此设备",
  "no device did any work": "没有设备执行过任务",
  "no step with a duration": "没有时长不为零的 Step",
  "no rank communicates": "没有通信",
  "no collective was recorded on two workers": "没有在两个工作进程上都能找到的集合通信",
  "no other worker recorded a collective of this worker": "其他工作进程都没有记录此工作进程的集合通信",
  "there is no other rank to compare with": "没有可比较的对象",
  "no rank waited for another": "没有相互等待",
  "no device time, or the names of some of its kernels do not say":
    "没有设备时间，或其部分内核的名称无从判断",
  "the names of its kernels do not say": "其内核的名称无从判断",
  "the file does not say what the allocator held beyond that": "文件没有说明分配器另外保留了多少",
  "none was recorded: it was matched by its order in the step": "没有记录：按其在 Step 中的次序匹配",
  "not attributed to any host range": "没有归属到任何主机范围",
  "not launched by an operator": "不是由算子下发",
  "it is never called itself": "它自身从未被调用",
  "The log has no number here: no such iteration, or a loss of nan or inf.":
    "日志此处没有数值：没有该迭代，或损失值为 nan 或 inf。",
  "The iteration that the log's line names.": "日志行中写明的迭代。",
  "The base is 0.": "基准为 0。",
  "The two logs have no iteration with numbers in common.": "两份日志没有都有数值的共同迭代。",
  "recorded by a version of the framework that does not write the allocator's totals":
    "采集所用的框架版本没有写入分配器的总量",
  "the profile does not say": "性能数据没有说明",
  "allocated before the recording": "采集前已分配",
  "allocated before the recording, or outside of all operators": "采集前已分配，或不在任何算子中",
  "not released in the recording, or recorded without addresses": "采集期间没有释放，或没有记录地址",
  "one of its ends was not recorded": "有一端没有记录",
  "not known before the first event": "第一个事件之前未知",
  "this allocator keeps no reserve, or its total is not known yet": "此分配器没有预留，或其总量尚未可知",
  "not inside a range of this kind": "不在此类范围内",
  "allocated before the recording, block by block unknown": "采集前已分配，各块未知",
  "recorded without totals": "没有记录总量",
  "Not known: recorded without the addresses of blocks.": "未知：没有记录内存块的地址。",
  "no Python function named forward was recorded in its longest call":
    "其最长的调用中没有记录名为 forward 的 Python 函数",
  "recorded without device activity": "没有记录设备活动",
  "recorded without shapes": "没有记录形状",
  "recorded without links from forward to backward operators": "没有记录前向到反向算子的关联",
  "not in the flame graph": "不在火焰图中",
  "recorded without occupancy": "没有记录占用率",
  "the names of some kernels do not say": "部分内核的名称无法判断",
  "not counted in these ranges": "这些区间没有此计数",
  "nothing of the step ran on the device, or the file does not state it":
    "该 Step 没有在设备上运行，或文件没有说明",
  "no activity of this kind was recorded": "没有记录此类活动",
  "unknown before the component's first record, and where a record does not state it":
    "在该组件的第一条记录之前，以及记录没有说明之处，未知",
  "no record states what it reserved": "没有记录说明其预留",
  "no record states what it allocated": "没有记录说明其分配",
  "no record states it": "没有记录说明",
  "it has no place in the file": "它在文件中没有位置",

  "the profiler states no value for this kernel": "采集工具没有给出此内核的值",
  "the profiler states no value for these kernels": "采集工具没有给出这些内核的值",
  "outside of all steps": "在所有 Step 之外",
  "the calls differ": "各次调用不一致",
  "the file has no name, or different names for the calls": "文件没有给出，或各次调用不一致",
  "neither the file nor the kernel's name says, or the calls differ":
    "文件与内核名称都无法判断，或各次调用不一致",
  "the file does not say which core ran them": "文件没有说明由哪种核运行",
  "the file does not state when the device was at work": "文件没有说明设备何时在工作",

  // Why a view is not available.
  "no operators in this profile: record host activity as well": "这份性能数据没有算子：请同时记录主机活动",
  "neither operators nor device work were recorded": "既没有记录算子也没有记录设备任务",
  "no collectives in this profile: its worker did not communicate while it was recorded":
    "这份性能数据没有集合通信：采集期间其工作进程没有通信",
  "no kernels in this profile: record device activity as well": "这份性能数据没有内核：请同时记录设备活动",
  "no kernels in this profile: the view HLO operators shows what its compiled programs ran":
    "这份性能数据没有内核：其已编译程序所执行的见视图“HLO 算子”",
  "no calls of a device's runtime in this profile: they are recorded together with host and device activity":
    "这份性能数据没有设备运行时的调用：同时记录主机与设备时才有",
  "not recorded by PyTorch Lightning's PyTorchProfiler: it has no [pl][profile] or [pl][module] ranges":
    "不是由 PyTorch Lightning 的 PyTorchProfiler 采集：没有 [pl][profile] 或 [pl][module] 范围",
  "neither allocations nor plans of compiled programs were recorded: profile_memory=True of torch.profiler records the first, enable_hlo_proto of XLA's profilers the second":
    "既没有记录内存分配，也没有记录已编译程序的内存规划：前者由 torch.profiler 的 profile_memory=True 记录，后者由 XLA 剖析器的 enable_hlo_proto 记录",
  "recorded without calls of modules: with_stack=True and with_modules=True of torch.profiler record them":
    "没有记录模块调用：torch.profiler 的 with_stack=True 与 with_modules=True 会记录",
  "recorded without calls of modules: the modules of compiled programs are in the view Operator hierarchy":
    "没有记录模块调用：已编译程序的模块见视图“算子层级”",
  "no operator was recorded with its call stack: with_stack=True of torch.profiler records them":
    "没有算子带有调用栈：torch.profiler 的 with_stack=True 会记录",
  "no device did any work, and only a device has peaks: operations and bytes are in the view HLO operators":
    "没有设备在工作，而只有设备才有峰值：运算量与字节数见视图“HLO 算子”",
  "no events with a duration in this profile: see its problems": "这份性能数据没有带时长的事件：请看其问题",
  "nothing in this profile has a time": "这份性能数据中没有带时间的内容",

  // Why a file cannot be opened from the page.
  "it has an empty part": "其中有空的部分",
  "names that begin with a dot are not read": "不读取以点开头的名称",
  "it has a name that is longer than 200 bytes": "其中有超过 200 字节的名称",
  "it is empty": "它是空的",
  "it is longer than 1,024 bytes": "它超过 1,024 字节",
  "it is not UTF-8": "它不是 UTF-8",
  "it has a control character or a backslash": "其中有控制字符或反斜杠",
  "it is an absolute path": "它是绝对路径",
  "it has more than 32 parts": "它的层数超过 32",
  "there is no file": "没有文件",
  "there are more than 10,000 files: choose a folder with fewer files":
    "文件超过 10,000 个：请选择文件较少的文件夹",
  "opening profiles from the page is off (--no-add)": "已关闭从页面打开性能数据（--no-add）",

  // Details of a slice.
  "Operator that made the call": "发起此调用的算子",
  "Operator that launched it": "下发它的算子",

  // Values in texts about files and recording.
  stopped: "已放弃",
  kernels: "内核",
  "no such bucket": "没有这样的存储桶",
  Errors: "错误",

  // Formulas that are words.
  "none: as stated": "无：文件所述",
  "as in Workers: Data transfer": "同“工作进程”：数据传输",
  "as in Workers: Synchronizing": "同“工作进程”：同步",

  // Docs of views and parameters that are shown only in the address and in the terminal.
  "What called an operator, and the cost of each caller's calls.": "谁调用了算子，各调用者的调用花费多少。",
  "The frames of one call stack.": "一个调用栈的栈帧。",
  "What ran in a range of time, on some lanes of the timeline.": "时间线若干泳道上一段时间范围内的内容。",
  "What the rows are: ranges, python or stacks": "各行是什么：ranges、python 或 stacks",

  // Errors.
  "a whole number": "整数",
  "true or false": " true 或 false",
  "a time in ns of at most 2^61, or empty": "以 ns 为单位、不超过 2^61 的时间，或为空",
  "tree: recorded without call stacks: with_stack=True of torch.profiler, or python_tracer_level of jax.profiler, records them":
    "tree：没有记录调用栈：torch.profiler 的 with_stack=True 或 jax.profiler 的 python_tracer_level 会记录",
  "tree: one of ranges, python, stacks": "tree：只能是 ranges、python、stacks 之一",
  "part: one of sums, devices, host, calls, callers": "part：只能是 sums、devices、host、calls、callers 之一",
  "rows: at least 1": "rows：至少为 1",
  "no log to read losses from": "没有可读取损失值的日志",
};
