// Redraws a component only if one of its properties or the language has changed. Preact has this only in its
// compatibility layer, which is larger than this file.
import { language } from "../base/language";
import { Component, type ComponentChildren, type FunctionComponent } from "preact";

export function memo<P extends object>(draw: (props: P) => ComponentChildren): FunctionComponent<P> {
  class Memo extends Component<P> {
    private end: () => void = () => undefined;
    componentDidMount(): void {
      this.end = language.watch(() => this.forceUpdate());
    }
    componentWillUnmount(): void {
      this.end();
    }
    shouldComponentUpdate(next: P): boolean {
      const now = this.props as Record<string, unknown>;
      return Object.entries(next).some(([key, value]) => now[key] !== value);
    }
    render() {
      return draw(this.props as P);
    }
  }
  return Memo as unknown as FunctionComponent<P>;
}
