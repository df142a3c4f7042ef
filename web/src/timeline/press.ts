// A press of the pointer, followed until it is let go. One that moves less than 4 pixels is a click.
const kClick = 4;

/** `drag` gets the way since the press, `done` whether it was a click. */
export function follow(
  down: PointerEvent,
  drag: (event: PointerEvent, dx: number, dy: number) => void,
  done: (event: PointerEvent, clicked: boolean) => void,
): void {
  const element = down.currentTarget as HTMLElement;
  let moved = false;
  const hold = () => element.setPointerCapture(down.pointerId);
  // Held at once, the click of a button that is inside would go to this element instead.
  if (down.target === element) hold();
  const move = (event: PointerEvent) => {
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!moved && Math.hypot(dx, dy) >= kClick) {
      moved = true;
      hold();
    }
    if (moved) drag(event, dx, dy);
  };
  const end = (event: PointerEvent) => {
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", end);
    element.removeEventListener("pointercancel", end);
    done(event, !moved);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
