"""A small MLP trained by two ranks with DistributedDataParallel over gloo: the program behind samples/ddp.

Two processes, two workers, one file each; the collectives carry their group, sizes and sequence numbers.
Run through tools/record_sample.py, which starts the ranks and passes in the profiler of each.
"""
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

STEPS = {'wait': 1, 'warmup': 1, 'active': 5, 'repeat': 1}
RANKS = 2


def main(profiler):
    torch.manual_seed(torch.distributed.get_rank())
    layers = nn.Sequential(nn.Linear(64, 128), nn.ReLU(), nn.Linear(128, 128), nn.ReLU(), nn.Linear(128, 8))
    model = DistributedDataParallel(layers, bucket_cap_mb=0.05)  # small buckets: several all-reduces per step
    optimizer = torch.optim.SGD(model.parameters(), lr=0.01)
    with profiler:
        for _ in range(7):
            output = model(torch.randn(32, 64))
            loss = nn.functional.mse_loss(output, torch.randn(32, 8))
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            profiler.step()
