// Serving: steps of inference engines.
import type { ProgramWords } from "../translate";

export const serving: ProgramWords = {
  // View, panels, tables.
  Serving: "推理服务",
  "How fast the steps of an inference engine are, by phase and batch, and what their time is made of.":
    "推理引擎的 Step 有多快（按阶段和批次），以及时间由哪些部分构成。",
  "no steps of an inference engine were recorded": "没有记录推理引擎的 Step",
  "Steady state": "稳态",
  "Steady state: the longest run of more than five steps with about the most requests; all, if there is none":
    "稳态：请求数接近最大值的、超过五个 Step 的最长一段；没有则为全部",
  "Step time and tokens, by phase": "Step 时间与 token 数（按阶段）",
  "Parts of a step, by batch": "Step 的组成部分（按批次）",
  "Requests and tokens over the steps": "各 Step 的请求数与 token 数",
  "By phase": "按阶段",
  "By batch": "按批次",
  "Steps by phase": "按阶段的 Step",
  "Steps by batch": "按批次的 Step",
  "Steps of the engine": "引擎的 Step",
  // Phases.
  Prefill: "预填充",
  Decode: "解码",
  Mixed: "混合",
  Image: "图像",
  "not stated": "未说明",
  // Facts.
  "Steps of the engine in scope.": "范围内引擎的 Step。",
  "Tokens per second": "每秒 token 数",
  "Tokens that the steps process, of prompts and generated.": "Step 处理的 token，包括提示词的和生成的。",
  "Generated tokens per second": "每秒生成的 token 数",
  "Tokens of decode; with speculation, those that are verified.":
    "解码的 token；投机解码时为被验证的 token。",
  "Time per output token, p50": "每输出 token 时间，p50",
  "Time per output token, p90": "每输出 token 时间，p90",
  "Time per output token, p99": "每输出 token 时间，p99",
  "How long a request waits for its next token, in the steps that generate.":
    "在生成 token 的 Step 中，一个请求等待下一个 token 的时间。",
  "no step in scope states that it generates tokens, or there is no step before it":
    "范围内没有 Step 说明它生成 token，或它之前没有 Step",
  "the engine does not state the tokens of each step": "引擎没有说明每个 Step 的 token 数",
  "Share of the time in which a device works for these steps.": "设备为这些 Step 工作的时间占比。",
  "Bubbles between steps": "Step 之间的气泡",
  "Share of the time in which the device idles between the work of one step and that of the next.":
    "设备在一个 Step 的任务与下一个 Step 的任务之间空闲的时间占比。",
  Padding: "填充",
  "Share of the batches that is padding.": "批次中填充所占的比例。",
  "the engine's ranges; names of captured graphs": "引擎的范围；被捕获的图的名称",
  "neither the engine nor a captured graph states the padded size": "引擎和被捕获的图都没有说明填充后的大小",
  "no costs of operators or no peaks of the device are known": "算子的代价或设备的峰值未知",
  "Decode step": "解码 Step",
  "Length of a decode step whose floor is known.": "下限已知的解码 Step 的长度。",
  "Floor of a decode step": "解码 Step 的下限",
  "Least time that the device needs for the operators of a decode step whose cost is known: it reads the weights and the cache once, and computes at its peak.":
    "设备执行解码 Step 中代价已知的算子所需的最短时间：权重和缓存各读一次，并以峰值运算。",
  "shapes of operators, sums that the engine states, peaks of the device":
    "算子的形状、引擎说明的总和、设备的峰值",
  "Cost of a prefill chunk": "一个预填充块的代价",
  "How much longer a mixed step is than the steps that only decode as many requests.":
    "混合 Step 比只解码同样多请求的 Step 长多少。",
  "fewer than five mixed steps have decode steps with as many requests":
    "有同样多请求的解码 Step 可比的混合 Step 少于五个",
  // Columns of groups.
  "Whether the steps process prompts, generate tokens, or both":
    "Step 是处理提示词、生成 token，还是两者都有",
  "Phase, and how many tokens the steps process": "阶段，以及 Step 处理多少 token",
  "Steps of the engine.": "引擎的 Step。",
  Requests: "请求",
  "Requests of a step.": "一个 Step 的请求。",
  "Tokens that a step processes.": "一个 Step 处理的 token。",
  "Step time, p50": "Step 时间，p50",
  "Step time, p90": "Step 时间，p90",
  "Step time, p99": "Step 时间，p99",
  "The shortest length that this share of the kept steps do not exceed":
    "保留的 Step 中有此比例不超过的最短长度",
  "percentile of lengths": "长度的百分位数",
  "Length of a step: from when the engine begins it, or the device is done with the step before, to when host and device are done with it.":
    "Step 的长度：从引擎开始它、或设备完成前一个 Step 起，到主机和设备都完成它为止。",
  "Nine of ten steps are not longer.": "十个 Step 中有九个不更长。",
  "Share of the time of all steps in scope.": "占范围内所有 Step 时间的比例。",
  "Time per token": "每 token 时间",
  "Time of the steps for each token that they process.": "Step 处理每个 token 所用的时间。",
  "No device work": "无设备任务",
  "Time of a step in which no device works: it waits for the host.":
    "Step 中没有设备工作的时间：设备在等待主机。",
  "names of kernels and of the ranges that caused them": "kernel 的名称，以及引起它们的范围的名称",
  "By graphs": "由图执行",
  "Share of the device work that graphs ran.": "由图执行的设备任务占比。",
  "Share of what the steps compute that is padding: the batch is filled up to a size that was captured.":
    "Step 的计算中填充所占的比例：批次被补足到捕获过的大小。",
  Floor: "下限",
  "Least time that the device needs for the operators of a step whose cost is known: it reads the weights and the cache once, and computes at its peak.":
    "设备执行 Step 中代价已知的算子所需的最短时间：权重和缓存各读一次，并以峰值运算。",
  "Floor covers": "下限覆盖",
  "Share of the device time of the steps that belongs to operators with a known cost.":
    "Step 的设备时间中属于代价已知的算子的比例。",
  // Columns of steps.
  "the name of the engine's range": "引擎范围的名称",
  "Prefill queries": "预填充 query",
  "Sum of the queries of prefill over the requests.": "各请求预填充 query 数之和。",
  "Prefill keys": "预填充 key",
  "Sum of the keys of prefill over the requests, the cached ones included.":
    "各请求预填充 key 数之和，含缓存中的。",
  "Prefill queries²": "预填充 query²",
  "Sum of queries * queries of prefill over the requests.": "各请求预填充 query × query 之和。",
  "Prefill queries * keys": "预填充 query × key",
  "Sum of queries * keys of prefill over the requests.": "各请求预填充 query × key 之和。",
  "Decode queries": "解码 query",
  "Sum of the queries of decode over the requests.": "各请求解码 query 数之和。",
  "Decode keys": "解码 key",
  "Sum of the keys of decode over the requests: the length of the cache.":
    "各请求解码 key 数之和：缓存的长度。",
  "Decode queries²": "解码 query²",
  "Sum of queries * queries of decode over the requests.": "各请求解码 query × query 之和。",
  "Decode queries * keys": "解码 query × key",
  "Sum of queries * keys of decode over the requests.": "各请求解码 query × key 之和。",
  "Requests of the step.": "该 Step 的请求。",
  "Tokens that it processes.": "它处理的 token。",
  "Prefill requests": "预填充请求",
  "Requests of which it processes the prompt, or a chunk of it.": "它处理其提示词（或其中一块）的请求。",
  "Prefill tokens": "预填充 token",
  "Tokens of those prompts or chunks.": "这些提示词或块的 token。",
  "Decode requests": "解码请求",
  "Requests for which it generates tokens.": "它为其生成 token 的请求。",
  "Decode tokens": "解码 token",
  "Tokens that it generates or verifies.": "它生成或验证的 token。",
  "Padded batch": "填充后的批次",
  "Requests or tokens that it computes, padding included, as the engine states.":
    "它计算的请求或 token 数，含填充，按引擎所述。",
  "From when the engine begins the step, or the device is done with the step before, to when host and device are done with it.":
    "从引擎开始该 Step、或设备完成前一个 Step 起，到主机和设备都完成它为止。",
  "Time of the step in which no device works.": "该 Step 中没有设备工作的时间。",
  "Gap before": "之前的间隙",
  "From the end of the step before to its start: the engine is outside of its steps.":
    "从前一个 Step 结束到它开始：引擎在 Step 之外。",
  "the first step has none before it": "第一个 Step 之前没有 Step",
  "Bubble before": "之前的气泡",
  "How long the device idles between the last work of the step before and the first of this one.":
    "设备在前一个 Step 的最后一个任务与该 Step 的第一个任务之间空闲多久。",
  "the first step, or no device work": "第一个 Step，或没有设备任务",
  "Kernels, copies and fills that it launched, also those of graphs.":
    "它下发的 kernel、拷贝和填充，含图中的。",
  "Graph launches": "图启动",
  "Graphs that it launched; 0: it ran eagerly.": "它启动的图；0：逐个算子执行。",
  "Share of what it computes that is padding.": "它的计算中填充所占的比例。",
  "Least time that the device needs for its operators whose cost is known.":
    "设备执行其代价已知的算子所需的最短时间。",
  "Number of the step, from 0.": "Step 的编号，从 0 开始。",
  "order of the engine's ranges": "引擎范围的次序",
  "Whether it processes prompts, generates tokens, or both": "它是处理提示词、生成 token，还是两者都有",
  "Name of the engine's range": "引擎范围的名称",
  "Row of slices of its range.": "其范围在 slices 中的行。",
  "the engine's range": "引擎的范围",
  "the named ranges of the engine's steps, the calls in them, and the device work that these launched":
    "引擎 Step 的命名范围、其中的调用，以及它们下发的设备任务",
  // Parts.
  Attention: "注意力",
  "attention, and writing its cache": "注意力，以及写入其缓存",
  "Products and experts": "矩阵乘与专家",
  "products of matrices, and mixtures of experts with their routing": "矩阵乘，以及混合专家及其路由",
  "Norms and elementwise": "归一化与逐元素",
  "normalization, activations, positions, quantization and other work on single elements":
    "归一化、激活、位置编码、量化和其他逐元素任务",
  Sampling: "采样",
  "choosing the next tokens": "选择下一个 token",
  "kernels of which neither the name nor the operator tells what they do":
    "从名称和算子都看不出用途的 kernel",
  "collectives, as far as nothing above runs at the same time": "集合通信（仅计上述各项都未同时运行的部分）",
  "copies and fills, as far as nothing above runs at the same time":
    "拷贝和填充（仅计上述各项都未同时运行的部分）",
  // Layers.
  Layers: "层",
  "Name of the device work": "设备任务的名称",
  "device work of the step of median length, by start": "长度为中位数的 Step 的设备任务，按开始时间",
  "What it does in a step of a language model": "它在语言模型的 Step 中做什么",
  "work of several kinds": "多种任务",
  Place: "位置",
  "Its place in the layer, from 1": "它在层中的位置，从 1 起",
  "outside of the layers": "在各层之外",
  "How often it ran.": "运行了多少次。",
  "How long it ran on average.": "平均运行多久。",
  "How long all of them ran.": "总共运行多久。",
  "Share of the device work of the step.": "占该 Step 设备任务的比例。",
  "before the layers": "各层之前",
  "after the layers": "各层之后",
  "No sequence of device work repeats three times in the step of median length.":
    "长度为中位数的 Step 中没有重复三次的设备任务序列。",
  "Device work of the step of median length that repeats in the same order, as the layers of a model do: one row for each place in a layer. A group of layers that differ from each other counts as one.":
    "长度为中位数的 Step 中按相同次序重复的设备任务，如同模型的各层：层中每个位置一行。彼此不同的一组层算作一层。",
  // Skew over ranks.
  "Skew of step starts over ranks": "各 rank 间 Step 开始时刻的偏差",
  "steps of all ranks whose clocks are on one axis": "时钟在同一坐标轴上的所有 rank 的 Step",
  "Number of the step": "Step 的编号",
  Skew: "偏差",
  "How much later the last rank begins the step than the first.": "最后一个 rank 比第一个晚多久开始该 Step。",
  "How many ranks have the step.": "多少个 rank 有该 Step。",
  "The worker that begins it first": "最先开始它的工作进程",
  "The worker that begins it last": "最后开始它的工作进程",
  "No step was recorded on two ranks whose clocks can be compared: the view Distributed says why.":
    "没有在时钟可比较的两个 rank 上都记录到的 Step：原因见“分布式”视图。",
  "The steps are guessed: no range names them, so each outermost call in which the engine runs its model counts as one. Phases, requests and tokens are unknown.":
    "这些 Step 是推测的：没有范围为其命名，因此引擎运行模型的每个最外层调用算作一个。阶段、请求和 token 未知。",
};
