import type { MigrationStep } from '@modelwire/core/connector'
import * as fc from 'fast-check'
import t from 'tap'
import { fileText, splitStatement } from '#src/migrations/file-text.ts'
import { listMigrationFiles, loadMigration } from '#src/migrations/migration-file.ts'
import { makeFolder } from '../make-folder.ts'

const texts = fc.string({
  unit: fc.constantFrom(...Array.from(`'"\`\\\${}(),; \n\r\t\u2028aé*/`)),
  minLength: 1,
  maxLength: 12
})

t.test('a statement is the same when its file is loaded, whatever characters it has', async (t) => {
  await fc.assert(
    fc.asyncProperty(texts, texts, texts, async (statement, description, undo) => {
      const shared = { kind: 'addColumn', model: 'A', description } as const
      const steps: MigrationStep[] = [
        { ...shared, statement, destructive: false, back: { statements: [undo] } },
        { ...shared, statement, destructive: true, back: { statements: [undo], loses: description } },
        { ...shared, statement, destructive: false, back: { statements: [], unknown: description } }
      ]
      const text = fileText({ title: 'x', dataSource: description, steps, notes: [description], transaction: false })
      const [file] = await listMigrationFiles(makeFolder(t, { '20260101000000-x.mjs': text }))
      if (file === undefined) throw new Error('the file is not listed')
      const { dataSource, transaction, up, down } = await loadMigration(file)
      t.same({ dataSource, transaction }, { dataSource: description, transaction: false })
      t.same(up, [statement, { losesData: description, statement }, statement])
      t.same(down, [{ missing: description }, { losesData: description, statement: undo }, undo])
    }),
    { numRuns: 60 }
  )
})

t.test('a long statement with the quotes of MySQL is written without escapes', async (t) => {
  const statement = `create table \`a\` (\`first\` VARCHAR(255) not null, \`second\` LONGTEXT, \`third\` DECIMAL(65, 30)) default charset = utf8mb4`
  const step = { kind: 'createTable', model: 'A', description: 'x', statement, destructive: false } as const
  const text = fileText({ title: 'x', dataSource: 'db', steps: [step], notes: [], transaction: true })
  t.notMatch(text, /\\/)
  const [file] = await listMigrationFiles(makeFolder(t, { '20260101000000-x.mjs': text }))
  if (file === undefined) throw new Error('the file is not listed')
  t.match((await loadMigration(file)).up, [statement.replaceAll(', `', ',`')])
})

t.test('a long create table has a line for each column, and others have one line', async (t) => {
  const long = `create table "a,(b" ("x" DECIMAL(65, 30) not null, "y)" TEXT default 'it''s, (fine)', primary key ("x", "y)")) default charset = utf8mb4`
  t.same(splitStatement(long), [
    'create table "a,(b" (',
    '  "x" DECIMAL(65, 30) not null,',
    `  "y)" TEXT default 'it''s, (fine)',`,
    '  primary key ("x", "y)")',
    ') default charset = utf8mb4'
  ])
  t.same(splitStatement('create table a (x integer)'), ['create table a (x integer)'])
  for (const other of [`${long} \\`, `${long}\n`, `${long} "`, long.replace('create', 'alter')])
    t.same(splitStatement(other), [other])
})

t.test('long triggers are written in lines that can be read, and mean the same', async (t) => {
  const members = Array.from({ length: 30 }, (_, at) => `'name, ${at}', json_quote(new."name, ${at}")`).join(', ')
  const insert = `insert into "log" ("model", "record") values ('A', json_object(${members}))`
  const statements = [
    `create trigger "t" after insert on "a" begin ${insert}; end`,
    `create trigger \`t\` after insert on \`a\` for each row ${insert}`,
    `create or replace function "f"() returns trigger as '${`begin ${insert}; return null; end`.replaceAll("'", "''")}'`
  ]
  const shared = { kind: 'createTrigger', model: 'A', description: 'x', destructive: false } as const
  const steps = statements.map((statement) => ({ ...shared, statement }))
  const text = fileText({ title: 'x', dataSource: 'db', steps, notes: [], transaction: true })
  t.notOk(text.split('\n').some((line) => line.length > 180))
  const [file] = await listMigrationFiles(makeFolder(t, { '20260101000000-x.mjs': text }))
  if (file === undefined) throw new Error('the file is not listed')
  const { up } = await loadMigration(file)
  // Space behind the commas between values is the same to the database, and that in names stays.
  const plain = (statement: unknown): string =>
    String(statement)
      .replaceAll(/,\s+(?=json|'|")/g, ',')
      .replaceAll(/'\s+begin/g, `'begin`)
  t.same(up.map(plain), statements.map(plain))
})
