"""A small convolutional network trained on noise: the program behind samples/conv.

One process, one worker. Data comes from a DataLoader; six steps are recorded after one skipped and one warm-up step.
Run through tools/record_sample.py, which passes in the profiler and names the files.
"""
import torch
from torch import nn
from torch.profiler import record_function
from torch.utils.data import DataLoader, TensorDataset

STEPS = {'wait': 1, 'warmup': 1, 'active': 6, 'repeat': 1}


class ConvNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 16, 3, padding=1), nn.BatchNorm2d(16), nn.ReLU(), nn.MaxPool2d(2),
            nn.Conv2d(16, 32, 3, padding=1), nn.BatchNorm2d(32), nn.ReLU(), nn.AdaptiveAvgPool2d(1))
        self.classifier = nn.Linear(32, 10)

    def forward(self, images):
        return self.classifier(torch.flatten(self.features(images), 1))


def main(profiler):
    torch.manual_seed(0)
    images, labels = torch.randn(64, 3, 32, 32), torch.randint(0, 10, (64,))
    loader = DataLoader(TensorDataset(images, labels), batch_size=8, shuffle=True)
    model, loss_of = ConvNet(), nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    with profiler:
        for batch, target in loader:
            with record_function('## forward ##'):
                loss = loss_of(model(batch), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            profiler.step()
