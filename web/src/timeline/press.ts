// A press of the pointer, followed until its release. One that moves less than 4 pixels is a click.
const kClick = 4;

/** `drag` gets the distance since the press, `done` whether it was a click. */
export function follow(
  down: PointerEvent,
  drag: (event: PointerEvent, dx: number, dy: number) => void,
  done: (event: PointerEvent, clicked: boolean) => void,
): void {
  const element = down.currentTarget as HTMLElement;
  let moved = false;
  const hold = () => element.setPointerCapture(down.pointerId);
  // Captured later: if the pointer were captured immediately, a click on a button inside would go to this
  // element.
  if (down.target === element) hold();
  const move = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    const [dx, dy] = [event.clientX - down.clientX, event.clientY - down.clientY];
    if (!moved && Math.hypot(dx, dy) >= kClick) {
      moved = true;
      hold();
    }
    if (moved) drag(event, dx, dy);
  };
  const end = (event: PointerEvent) => {
    if (event.pointerId !== down.pointerId) return;
    element.removeEventListener("pointermove", move);
    element.removeEventListener("pointerup", end);
    element.removeEventListener("pointercancel", end);
    done(event, !moved);
  };
  element.addEventListener("pointermove", move);
  element.addEventListener("pointerup", end);
  element.addEventListener("pointercancel", end);
}
