"""Framebuffers that the passes draw into, made again when their size changes."""

from __future__ import annotations

import moderngl


class Targets:
    """One framebuffer of each kind, with its attachments."""

    def __init__(self, context: moderngl.Context):
        self._context = context
        self._made: dict[str, tuple[tuple, moderngl.Framebuffer]] = {}

    def _get(self, name: str, key: tuple, make) -> moderngl.Framebuffer:
        entry = self._made.get(name)
        if entry is None or entry[0] != key:
            self._drop(name)
            entry = self._made[name] = (key, make())
        return entry[1]

    def _idle(self) -> moderngl.Framebuffer:
        """One pixel that nothing is drawn into."""
        return self._get("idle", (), lambda: self._context.framebuffer([self._context.renderbuffer((1, 1))]))

    def color(self, width: int, height: int, samples: int) -> moderngl.Framebuffer:
        """Colour and depth for the main view, with `samples` a pixel (0: plain)."""
        size = (width, height)
        return self._get(
            "color",
            (size, samples),
            lambda: self._context.framebuffer(
                [self._context.renderbuffer(size, 4, samples=samples)],
                self._context.depth_renderbuffer(size, samples=samples),
            ),
        )

    def output(self, width: int, height: int) -> moderngl.Framebuffer:
        """Plain colour and depth, to be read back."""
        size = (width, height)
        return self._get(
            "output",
            size,
            lambda: self._context.framebuffer(
                [self._context.renderbuffer(size, 4)], self._context.depth_renderbuffer(size)
            ),
        )

    def mirror(self, width: int, height: int) -> moderngl.Framebuffer:
        """Colour texture and depth for the planar reflection."""
        size = (width, height)

        def make() -> moderngl.Framebuffer:
            texture = self._context.texture(size, 4)
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
            return self._context.framebuffer([texture], self._context.depth_renderbuffer(size))

        return self._get("mirror", size, make)

    def shadow(self, width: int, height: int) -> moderngl.Framebuffer:
        """Depth texture that compares when sampled."""
        size = (width, height)

        def make() -> moderngl.Framebuffer:
            texture = self._context.depth_texture(size)
            texture.compare_func = "<="
            texture.filter = (moderngl.LINEAR, moderngl.LINEAR)
            texture.repeat_x = texture.repeat_y = False
            return self._context.framebuffer([], texture)

        return self._get("shadow", size, make)

    def _drop(self, name: str) -> None:
        entry = self._made.pop(name, None)
        if entry is None:
            return
        framebuffer = entry[1]
        if name != "idle":  # moderngl binds the last used framebuffer again, which must not be a deleted one
            self._idle().use()
        attachments = [*framebuffer.color_attachments]
        if framebuffer.depth_attachment is not None:
            attachments.append(framebuffer.depth_attachment)
        framebuffer.release()
        for attachment in attachments:
            attachment.release()

    def release(self) -> None:
        """Delete everything."""
        for name in sorted(self._made, key=lambda name: name == "idle"):
            self._drop(name)
        self._drop("idle")
