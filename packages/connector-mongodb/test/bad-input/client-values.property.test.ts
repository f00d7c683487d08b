import t from 'tap'
import { checkClientValues } from './client-values.ts'

const title = 'commands hold operators of the connector alone, and values of clients where values stand'

void t.test(title, { timeout: 120_000 }, async (t) => checkClientValues(t, 300))
