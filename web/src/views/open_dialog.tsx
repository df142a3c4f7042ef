// The dialog behind "Open…".
import { words } from "../base/words";
import { openFloat } from "../widgets/float";
import { Choosers, openSample, PathField, RecentList, UploadList, useOpening } from "./open_parts";

const kMostRecent = 8;

function OpenDialog() {
  const say = words.opening;
  const opening = useOpening();
  const uploads = opening?.uploads.filter((upload) => upload.open) ?? [];
  if (!opening) return <div class="open-dialog" />;
  return (
    <div class="open-dialog">
      <h3>{say.title}</h3>
      {opening.files && (
        <>
          <p class="muted">{say.dropAnywhere}</p>
          <Choosers />
        </>
      )}
      {opening.paths && <PathField />}
      {uploads.length > 0 && (
        <section>
          <h4>{say.uploads}</h4>
          <UploadList uploads={uploads} />
        </section>
      )}
      {opening.recent.length > 0 && (
        <section>
          <h4>{say.recent}</h4>
          <RecentList recent={opening.recent} most={kMostRecent} />
        </section>
      )}
      {opening.files && (
        <button class="link open-sample" onClick={() => void openSample()}>
          {say.sample}
        </button>
      )}
    </div>
  );
}

export function openDialog(): void {
  const middle = innerWidth / 2;
  const half = Math.min(280, middle - 8);
  openFloat({
    anchor: { left: middle - half, right: middle + half, top: 48, bottom: 48 },
    title: words.opening.title,
    align: "left",
    content: () => <OpenDialog />,
  });
}
