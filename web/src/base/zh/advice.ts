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
  "Tensor cores are not used": "没有使用 Tensor Core",
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
  "Overlap communication with the backward pass, accumulate gradients over several batches, compress gradients, or use a larger batch with an optimizer made for it; the latter three can change convergence.":
    "让通信与反向重叠、跨多个批次累积梯度、压缩梯度，或增大 batch 并配合相应的优化器；后三者可能影响收敛。",
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
};
