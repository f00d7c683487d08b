/** A `where` of the wire protocol: conditions by property, or lists of conditions in `and`, `or` and `nor`. */
export type Where = Readonly<Record<string, unknown>>

/** Headers by name; undefined ones are not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>

/** How the records of one resource differ from the defaults. */
export interface ResourceOptions {
  /**
   * The property that identifies a record; `id` when absent. react-admin sees it as `id` as well. Of several, in the order of
   * the model's id, it sees their text.
   */
  readonly idProperty?: string | readonly string[]
  /**
   * The property with the version of a record, by which the server refuses conflicting changes; `version` when absent, and
   * false for records without one.
   */
  readonly versionProperty?: string | false
  /** The string properties that the filter `q` searches, or a function that makes a `where` from the user's input. */
  readonly search?: readonly string[] | ((text: string) => Where)
  /** False: lists are not counted, and the user only sees whether there is a next page. True when absent. */
  readonly count?: boolean
}

/** Options of `modelwireDataProvider`. */
export interface ModelwireDataProviderOptions {
  /** Options of resources by name. */
  readonly resources?: Readonly<Record<string, ResourceOptions>>
  /** Headers of every request, such as `authorization`, or a function that returns them for each one. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /** Sends requests; the browser's `fetch` when absent. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** Shown to the user if someone else has changed the record in the meantime: a text, or a translation key. */
  readonly conflictMessage?: string
}

/** The options of a resource, with defaults. */
export interface ResourceSettings {
  readonly name: string
  readonly idProperties: readonly string[]
  readonly versionProperty: string | false
  readonly search: ResourceOptions['search']
  readonly count: boolean
}

/** Makes the function that returns the settings of a resource by name. */
export function readResources({ resources = {} }: ModelwireDataProviderOptions): (name: string) => ResourceSettings {
  const own = new Map(Object.entries(resources))
  return (name) => {
    const { idProperty = 'id', versionProperty = 'version', search, count = true } = own.get(name) ?? {}
    return { name, idProperties: [idProperty].flat(), versionProperty, search, count }
  }
}
