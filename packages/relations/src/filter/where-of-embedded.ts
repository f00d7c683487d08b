import type { Row } from '@modelwire/core/connector'
import { isPlainObject, logicalKeys } from '@modelwire/core/plugin'
import type { RelatedCondition } from './related-keys.ts'

function below(property: string, where: unknown): Row {
  if (!isPlainObject(where)) return { [property]: where }
  const entries = Object.entries(where).map(([key, value]) => {
    const isList = logicalKeys.has(key) && Array.isArray(value)
    return isList
      ? ([key, value.map((part) => below(property, part))] as const)
      : ([`${property}.${key}`, value] as const)
  })
  return Object.fromEntries(entries)
}

/** Declaring records whose parts match. Of several conditions each may be met by another part. */
export async function whereOfEmbedded({ relation, where }: RelatedCondition): Promise<Row> {
  return below(relation.keyFrom, where)
}
