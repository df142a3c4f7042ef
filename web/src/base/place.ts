// The user's place: run, worker, span, view, the report's parameters, and the state of each table. A place and
// a URL's query are two spellings of the same thing, so copying the address copies the view. The report's
// parameters keep their names; state that only the page knows has a dotted key ("kernels.sort=-total"), which
// no parameter has. The page has one more key: `find`, the label of a row to scroll to and mark.
export interface Place {
  run: string;
  worker: string;
  span: string;
  view: string;
  /** The report's parameters, as the user set them. */
  parameters: Record<string, string>;
  /** The page's state, by dotted key. */
  page: Record<string, string>;
}

export const kNowhere: Place = { run: "", worker: "", span: "", view: "", parameters: {}, page: {} };
const kParts = ["run", "worker", "span", "view"] as const;
/** The server's token. It is kept as a cookie and must not stay in an address that users copy. */
const kSecret = "token";
/** The chosen language: it belongs to the page, not to a place in it. */
export const kLanguage = "lang";
export const kFind = "find";

export function parsePlace(query: string): Place {
  const place: Place = { ...kNowhere, parameters: {}, page: {} };
  for (const [key, value] of new URLSearchParams(query)) {
    if (key === kSecret || key === kLanguage) continue;
    if ((kParts as readonly string[]).includes(key)) place[key as (typeof kParts)[number]] = value;
    else if (key.includes(".") || key === kFind) place.page[key] = value;
    else place.parameters[key] = value;
  }
  return place;
}

/** Readable: only characters that would break a query are escaped. Keys are in a fixed order; an empty language
 * has no key. */
export function formatPlace(place: Place, language = ""): string {
  const parts: string[] = [];
  const add = (key: string, value: string) => parts.push(`${escapePart(key)}=${escapePart(value)}`);
  for (const key of kParts) if (place[key] !== "") add(key, place[key]);
  for (const key of Object.keys(place.parameters).sort()) add(key, place.parameters[key]);
  for (const key of Object.keys(place.page).sort()) add(key, place.page[key]);
  if (language !== "") add(kLanguage, language);
  return parts.length === 0 ? "" : "?" + parts.join("&");
}

function escapePart(text: string): string {
  return encodeURIComponent(text)
    .replace(/%(2F|3A|2C|40|5B|5D)/g, (code) => decodeURIComponent(code))
    .replace(/%20/g, "+");
}

/** Sets page keys; an empty text removes the key, so the default takes no room in the address. */
export function withPage(place: Place, changes: Record<string, string>): Place {
  const page = { ...place.page };
  for (const [key, value] of Object.entries(changes)) {
    if (value === "") delete page[key];
    else page[key] = value;
  }
  return { ...place, page };
}

/** Rows are named by their number in one report: in another report the numbers mean other rows. */
export function withoutRows(place: Place): Place {
  const page = Object.fromEntries(
    Object.entries(place.page).filter(
      ([key]) =>
        !/\.(open|select|focus|found|window|range|closed|pinned|hidden|order|rank|shifts)$/.test(key) &&
        !key.includes("/"),
    ),
  );
  return { ...place, page };
}

export function withParameters(place: Place, changes: Record<string, string | null>): Place {
  const parameters = { ...place.parameters };
  for (const [key, value] of Object.entries(changes)) {
    if (value === null) delete parameters[key];
    else parameters[key] = value;
  }
  return { ...place, parameters };
}

/** The parameters of views that compare: the profile that the place's profile is compared with. */
export const kOther = { run: "other_run", worker: "other_worker", span: "other_span" } as const;

/** The parameters of a place that name the compared profile. */
export function otherOf(place: Place): Record<string, string> {
  const keys: string[] = Object.values(kOther);
  return Object.fromEntries(Object.entries(place.parameters).filter(([key]) => keys.includes(key)));
}

/** The same run in another view: parameters and table state belong to the old view. A key with a dot is a state of the page. */
export function inView(
  place: Place,
  view: string,
  parameters: Record<string, string> = {},
  find = "",
): Place {
  const all = Object.entries(parameters);
  const ofPage = ([key]: [string, string]) => key.includes(".");
  const page = Object.fromEntries(all.filter(ofPage));
  if (find !== "") page[kFind] = find;
  return { ...place, view, parameters: Object.fromEntries(all.filter((entry) => !ofPage(entry))), page };
}
