import type { ConversationRequest } from './plan.ts'
import type { Random } from './random.ts'

const isFlat = (data: unknown): data is Record<string, string | number | boolean> =>
  !Array.isArray(data) &&
  Object.values(data ?? {}).every((value) => ['string', 'number', 'boolean'].includes(typeof value))

/** A request with a body: mostly JSON, now and then a form. */
export function send(random: Random, kind: string, method: string, path: string, data: unknown): ConversationRequest {
  if (isFlat(data) && random.chance(0.05)) {
    const texts = Object.entries(data).map(([name, value]) => [name, String(value)] as const)
    const body = new URLSearchParams(Object.fromEntries(texts)).toString()
    return { kind, method, path, headers: { 'content-type': 'application/x-www-form-urlencoded' }, body }
  }
  return { kind, method, path, headers: { 'content-type': 'application/json' }, body: JSON.stringify(data) }
}
