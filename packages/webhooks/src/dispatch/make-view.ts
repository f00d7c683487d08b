import {
  type Change,
  type Client,
  compileOptionalWhere,
  compilePredicate,
  eventOf,
  isAbout,
  type ModelType,
  streamRights,
  unlessRefused
} from '@modelwire/core/plugin'

/** A changed record as its reader may see it. */
export type ShownRecord = Readonly<Record<string, unknown>>

/** The record of a change as a reader may see it; undefined where the reader may not, or does not want to. */
export type View = (change: Change) => ShownRecord | undefined

/** Who reads, and what. */
export interface Reader {
  /** Undefined: code of the application, which may read everything. */
  readonly client: Client | undefined
  /** A `where` that is tested against what the reader may see of a record. */
  readonly condition: Readonly<Record<string, unknown>> | undefined
}

/** Properties that are shown in lists of their own records alone do not leave the server. */
const withoutProtected = ({ protected: names }: ModelType, record: ShownRecord): ShownRecord =>
  names.size === 0 ? record : Object.fromEntries(Object.entries(record).filter(([name]) => !names.has(name)))

/**
 * Makes the view of one reader on the changes of a model, as its rights are now: those of a change stream. Undefined where
 * the reader may see none of them.
 */
export async function makeView(model: ModelType, { client, condition }: Reader): Promise<View | undefined> {
  const rights = await unlessRefused(async () => streamRights(model, { options: {}, client }), 'refused' as const)
  if (rights === 'refused') return undefined
  const told = rights?.get(model.name)
  const compiled = compileOptionalWhere(model, condition, { options: { prohibitHiddenPropertiesInQuery: true } })
  const matches = compiled && compilePredicate(compiled)
  return (change) => {
    if (told !== undefined && !isAbout(eventOf(model, 0, change), told)) return undefined
    const { removed, ...others } = change
    const whole = eventOf(model, 0, { ...others, kind: 'create', after: change.after ?? removed?.[0] })
    const readable = told?.readable
    const { shownData = {} } = readable === undefined ? whole : whole.withinReadable(readable, undefined)
    const record = withoutProtected(model, shownData)
    return matches?.(record) === false ? undefined : record
  }
}
