"""A small transformer encoder trained on noise: the program behind samples/transformer.

One process, one worker, two profiling windows: two spans of the same worker, so two files.
Run through tools/record_sample.py, which passes in the profiler and names the files.
"""
import torch
from torch import nn

STEPS = {'wait': 1, 'warmup': 1, 'active': 2, 'repeat': 2}


class Encoder(nn.Module):
    def __init__(self, words=100, width=32):
        super().__init__()
        self.embedding = nn.Embedding(words, width)
        layer = nn.TransformerEncoderLayer(width, nhead=4, dim_feedforward=64, batch_first=True)
        self.layers = nn.TransformerEncoder(layer, num_layers=2, enable_nested_tensor=False)
        self.head = nn.Linear(width, words)

    def forward(self, tokens):
        return self.head(self.layers(self.embedding(tokens)))


def main(profiler):
    torch.manual_seed(0)
    model, loss_of = Encoder(), nn.CrossEntropyLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, fused=True)
    with profiler:
        for _ in range(8):
            tokens = torch.randint(0, 100, (4, 17))
            scores = model(tokens[:, :-1])
            loss = loss_of(scores.flatten(0, 1), tokens[:, 1:].flatten())
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            profiler.step()
