"""TensorBoard finds the plugin here. Importing this must not fail, or TensorBoard would not start; it survives errors in
`load`."""
from tensorboard.plugins import base_plugin


class Loader(base_plugin.TBLoader):
    def load(self, context):
        from .tensorboard_plugin import Plugin

        return Plugin(context)
