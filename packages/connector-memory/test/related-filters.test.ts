import { relatedFilterTests } from '@modelwire/connector-tests'
import t from 'tap'
import { memory } from '#src/memory.ts'

void t.test('conditions on related records are those of plain code', async (t) => relatedFilterTests(t, memory()))
