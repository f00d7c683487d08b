import { sqlite } from '@modelwire/connector-sqlite'
import { wireTests } from '@modelwire/connector-tests'
import t from 'tap'

void t.test('odd numbers and texts of clients are answered or refused', async (t) => wireTests(t, sqlite()))
