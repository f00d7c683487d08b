import t from 'tap'
import { checkClientValues } from './client-values.ts'

const title =
  'commands hold operators of the connector alone, and values of clients where values stand, in many requests'

void t.test(title, { timeout: 600_000 }, async (t) => checkClientValues(t, 5000))
