// The dialog of saved queries: a name for the query in the field, the list, and files to read.
import { useState } from "preact/hooks";
import { fill, words } from "../base/words";
import { useAtom } from "../widgets/hooks";
import { Icon } from "../widgets/icon";
import { closeFloat } from "../widgets/float";
import { saveBlob } from "../widgets/save";
import { queryId, readQuery, type Query } from "./query_file";
import { removeQuery, savedQueries, saveQuery } from "./query_shelf";

interface Props {
  /** The query in the field, as the text of a file with that name; null: the field is empty. */
  textOf: ((name: string) => string) | null;
  /** Ids of the program's views. */
  views: string[];
  onOpen: (query: Query) => void;
}

export function SavedQueries({ textOf, views, onOpen }: Props) {
  const say = words.saved;
  const queries = useAtom(savedQueries);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState("");
  const store = (query: { name: string; text: string }) => setProblem(saveQuery(query) ? "" : say.refused);
  const save = () => {
    const own = name.trim();
    if (own === "" || !textOf) return;
    store({ name: own, text: textOf(own) });
    setName("");
  };
  const readFiles = async (files: FileList | null) => {
    for (const file of files ?? []) {
      const text = await file.text();
      const query = readQuery(text, file.name);
      if (query.sql === "" || text.includes("\0")) setProblem(fill(say.noQuery, { name: file.name }));
      else store({ name: query.name, text });
    }
  };
  return (
    <div class="saved-queries">
      <h3>{say.title}</h3>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          save();
        }}
      >
        <input
          class="field"
          aria-label={say.name}
          placeholder={say.name}
          disabled={!textOf}
          value={name}
          onInput={(event) => setName(event.currentTarget.value)}
        />
        <button class="button primary" disabled={!textOf || name.trim() === ""}>
          {queries.some((query) => query.name === name.trim()) ? say.replace : say.save}
        </button>
      </form>
      {queries.length === 0 && <p class="muted">{say.none}</p>}
      <ul>
        {queries.map((query) => (
          <li key={query.name}>
            <button
              class="plain saved-name"
              data-tip={readQuery(query.text, query.name).sql.slice(0, 400)}
              onClick={() => {
                closeFloat();
                onOpen(readQuery(query.text, query.name));
              }}
            >
              {query.name}
            </button>
            <button
              class="link"
              aria-label={`${say.export}: ${query.name}`}
              onClick={() =>
                saveBlob(
                  new Blob([query.text], { type: "application/sql" }),
                  `${queryId(query.name, views)}.sql`,
                )
              }
            >
              .sql
            </button>
            <button
              class="plain round"
              aria-label={`${say.remove}: ${query.name}`}
              data-tip={say.remove}
              onClick={() => removeQuery(query.name)}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
      {problem && (
        <p class="console-error" role="alert">
          {problem}
        </p>
      )}
      <label class="button saved-import">
        {say.import}
        <input
          type="file"
          class="unseen"
          accept=".sql"
          multiple
          onChange={(event) => {
            void readFiles(event.currentTarget.files);
            event.currentTarget.value = "";
          }}
        />
      </label>
      <p class="muted">{say.doc}</p>
    </div>
  );
}
