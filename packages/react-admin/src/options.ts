/** A `where` of the wire protocol: conditions by property, or lists of conditions in `and`, `or` and `nor`. */
export type Where = Readonly<Record<string, unknown>>

/** Headers by name; those that are undefined are not sent. */
export type HeaderValues = Readonly<Record<string, string | undefined>>

/** How the records of one resource differ from the usual. */
export interface ResourceOptions {
  /** The property that identifies a record; `id` when absent. react-admin sees it as `id` as well. */
  readonly idProperty?: string
  /**
   * The property that holds the version of a record, by which the server refuses a change that another one overtook; `version`
   * when absent, and false for records without one.
   */
  readonly versionProperty?: string | false
  /** The properties, all of them texts, that the filter `q` searches, or a function that makes a `where` of what the user typed. */
  readonly search?: readonly string[] | ((text: string) => Where)
  /** False: lists are not counted, and the user sees only whether there is a next page. True when absent. */
  readonly count?: boolean
}

/** Options of `modelwireDataProvider`. */
export interface ModelwireDataProviderOptions {
  /** Options of resources by their names. */
  readonly resources?: Readonly<Record<string, ResourceOptions>>
  /** Headers of every request, such as `authorization`, or a function that is asked for them before each one. */
  readonly headers?: HeaderValues | (() => HeaderValues | Promise<HeaderValues>)
  /** Sends requests; the browser's `fetch` when absent. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>
  /** What the user reads when the record was changed by someone else in the meantime: a text, or a key of translations. */
  readonly conflictMessage?: string
}

/** The options of a resource, with what absent ones stand for. */
export interface ResourceSettings {
  readonly name: string
  readonly idProperty: string
  readonly versionProperty: string | false
  readonly search: ResourceOptions['search']
  readonly count: boolean
}

/** Gives the settings of a resource by its name. */
export function readResources({ resources = {} }: ModelwireDataProviderOptions): (name: string) => ResourceSettings {
  const own = new Map(Object.entries(resources))
  return (name) => {
    const { idProperty = 'id', versionProperty = 'version', search, count = true } = own.get(name) ?? {}
    return { name, idProperty, versionProperty, search, count }
  }
}
