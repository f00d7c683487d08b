import { sql, writeStatement } from '@modelwire/connector-sql'
import t from 'tap'
import { mysqlTypes } from '#src/mysql-types.ts'

const notation = { quote: (name: string) => name, placeholder: () => '?' }

void t.test('bytes are logged as such, whatever the type of their column is', async (t) => {
  for (const type of ['point', 'geometry', 'bit(8)']) {
    const logged = mysqlTypes.of(type).logged?.(sql.raw('x'), 'binary') ?? sql``
    t.equal(writeStatement(notation, logged).sql, 'hex(x)', type)
  }
})
