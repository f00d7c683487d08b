import { batch } from './layers/batch/batch.ts'
import { conditional } from './layers/conditional.ts'
import { idempotency } from './layers/idempotency/idempotent-requests.ts'
import type { Layer } from './layers/layer.ts'
import { lists } from './layers/lists.ts'
import { parts } from './layers/parts.ts'
import { preferences } from './layers/preferences/preferences.ts'
import { streams } from './layers/streams/stream-server.ts'

/**
 * The features of an API besides calling operations: each row adds its steps to the routes that it applies to, in this
 * order.
 */
export const layers: readonly Layer[] = [batch, idempotency, lists, conditional, preferences, parts, streams]
