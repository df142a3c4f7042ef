"""Where TensorBoard finds the plugin. Importing this must not fail, or TensorBoard would not start; what `load` raises it survives."""
from tensorboard.plugins import base_plugin


class Loader(base_plugin.TBLoader):
    def load(self, context):
        from .tensorboard_plugin import Plugin

        return Plugin(context)
