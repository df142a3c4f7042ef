// Compiled code: regions, the kernels that the compiler wrote, compiling.
import type { ProgramWords } from "../translate";

export const compiled: ProgramWords = {
  // Views, panels, tables.
  "Compiled code": "编译的代码",
  "Compiled regions": "编译的区域",
  "Kernels that the compiler wrote": "编译器生成的内核",
  Compiling: "编译",
  Recompilations: "重新编译",
  Recompilation: "重新编译",
  Region: "区域",
  Frame: "帧",
  "Written kernels": "生成的内核",
  "Device time in written kernels": "生成的内核中的设备时间",
  Phase: "阶段",
  Hash: "哈希",
  Arguments: "参数",
  // Docs.
  "Frame of Python, and the number of its compilation": "Python 帧及其编译序号",
  "ranges that the compiler names Torch-Compiled Region": "编译器命名为 Torch-Compiled Region 的范围",
  "Number of the frame that was compiled.": "被编译的帧的编号。",
  "Which compilation of the frame it is: 0 is the first, each further one was a recompilation.":
    "它是该帧的第几次编译：0 为首次，之后每次都是重新编译。",
  "How often it was called.": "调用的次数。",
  "Time of the device work that was launched inside it.": "在其内部启动的设备任务的时间。",
  "Kernels launched inside it.": "在其内部启动的内核。",
  "Those of them that the compiler wrote.": "其中由编译器生成的内核。",
  "number of kernels with a file": "有文件的内核数",
  "kernel_file of operators": "算子的 kernel_file",
  "Keys of the compiled graphs that it called, as in the compiler's cache":
    "它调用的编译图在编译器缓存中的键",
  "no call of a compiled graph was recorded inside it": "其内部没有记录编译图的调用",
  "kernels whose operator states a kernel_file": "其算子给出 kernel_file 的内核",
  "Name of the kernel": "内核的名称",
  "How often it ran.": "运行的次数。",
  "Time that it took.": "花费的时间。",
  "device time / calls": "设备时间 / 调用次数",
  "File with its source": "其源代码的文件",
  "What it was compiled with, such as sizes of blocks": "编译时的参数，例如块的大小",
  "Hash of its source": "其源代码的哈希",
  "Phase of compiling, as the compiler names it": "编译的阶段，按编译器的命名",
  "ranges that the compiler marks as dynamo_timed": "编译器标记为 dynamo_timed 的范围",
  "Time in it, including phases inside it.": "其时间，包含内部的阶段。",
  "Regions that were called; each compilation of a frame is one.": "被调用的区域；一帧的每次编译各算一个。",
  "number of names": "名称数",
  "Those that are not the first compilation of their frame.": "并非其帧首次编译的区域。",
  "number of regions with a recompilation > 0": "重新编译序号大于 0 的区域数",
  "Host time of compiling within the recording.": "采集期间编译的主机时间。",
  "sum of the durations of the outermost phases": "最外层阶段的时长之和",
  "no compiling was recorded": "没有记录编译",
  "Share of device time in kernels that the compiler wrote.": "编译器生成的内核占设备时间的比例。",
  "device time of kernels with a file / device time": "有文件的内核的设备时间 / 设备时间",
  "no code that the framework's compiler made in this profile: no compiled region, and no kernel with a file":
    "此性能数据中没有框架编译器生成的代码：既没有编译的区域，也没有带文件的内核",
  "Regions that the framework's compiler replaced, the kernels that it wrote, and the time that compiling took.":
    "框架编译器替换的区域、其生成的内核以及编译所用的时间。",
};
