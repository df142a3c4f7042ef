// The content of an expanded row: as wide as the visible part of the table, and as tall as it needs.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface Props {
  top: number;
  width: number;
  onHeight: (height: number) => void;
  children: ComponentChildren;
}

export function RowDetail({ top, width, onHeight, children }: Props) {
  const ref = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const element = ref.current;
    if (!element) return;
    const observer = new ResizeObserver(() => onHeight(element.offsetHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return (
    <div class="row-detail" style={{ transform: `translateY(${top}px)` }}>
      <div class="row-detail-inside" ref={ref} style={{ width: `${width}px` }}>
        {children}
      </div>
    </div>
  );
}
