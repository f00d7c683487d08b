import { mysql } from '@modelwire/connector-mysql'
import { fitOf } from '@modelwire/connector-sql'
import { tryTypes, type TypeSamples } from '@modelwire/connector-tests'
import { createTestDatabase, runOn, whyNoServer } from '@modelwire/connector-tests/mysql'
import t from 'tap'
import { mysqlTypes } from '#src/mysql-types.ts'

const stamps = ['2020-01-31 12:30:00', '2021-01-01 00:00:00'] as const
const texts = ['Sad', 'sad'] as const

/** Two values of each type in their order. */
const samples: TypeSamples = {
  'tinyint(1)': ['0', '1'],
  tinyint: ['-9', '10'],
  'tinyint unsigned': ['9', '200'],
  smallint: ['-9', '10'],
  mediumint: ['-9', '10'],
  int: ['-9', '10'],
  'int unsigned': ['9', '4294967295'],
  bigint: ['-9007199254740991', '9007199254740991'],
  'bigint unsigned': ['9', '9007199254740991'],
  'bit(1)': ['0', '1'],
  'bit(9)': ['5', '256'],
  decimal: ['9', '10'],
  'decimal(9,2)': ['9.50', '10.25'],
  'decimal(30,10)': ['-1234.0000000001', '0.1000000000'],
  float: ['-1.5', '0.1'],
  double: ['-1.5', '1e15'],
  year: ['1999', '2021'],
  date: ['2020-01-31', '2021-01-01'],
  time: ['08:30:00', '12:15:00'],
  'time(3)': ['08:30:00.125', '12:15:00.000'],
  datetime: stamps,
  'datetime(3)': ['2020-01-31 12:30:00.125', '2021-01-01 00:00:00.000'],
  'datetime(6)': ['2020-01-31 12:30:00.125000', '2021-01-01 00:00:00.000000'],
  timestamp: stamps,
  'timestamp(3)': ['2020-01-31 12:30:00.125', '2021-01-01 00:00:00.000'],
  'char(40)': texts,
  'varchar(40)': texts,
  'varchar(40) character set utf8mb4 collate utf8mb4_general_ci': ['sad', 'wide'],
  'varchar(40) character set latin1 collate latin1_bin': texts,
  'varchar(40) character set ascii collate ascii_bin': texts,
  tinytext: texts,
  text: texts,
  mediumtext: texts,
  longtext: texts,
  json: ['1', '2'],
  "enum('sad', 'happy')": ['happy', 'sad'],
  "set('z', 'b')": ['b', 'z'],
  'binary(24)': texts,
  'varbinary(40)': texts,
  tinyblob: texts,
  blob: texts,
  mediumblob: texts,
  longblob: texts,
  uuid: ['11111111-2222-3333-4444-555555555555', '21111111-2222-3333-4444-555555555555'],
  inet4: ['9.0.0.1', '10.0.0.1'],
  inet6: ['::1', 'fe80::1'],
  point: ['point(1 2)', 'point(2 3)'],
  linestring: ['linestring(0 0,1 1)', 'linestring(0 0,2 2)'],
  polygon: ['polygon((0 0,1 0,1 1,0 0))', 'polygon((0 0,2 0,2 2,0 0))'],
  multipoint: ['multipoint(1 1)', 'multipoint(2 2)'],
  multilinestring: ['multilinestring((0 0,1 1))', 'multilinestring((0 0,2 2))'],
  multipolygon: ['multipolygon(((0 0,1 0,1 1,0 0)))', 'multipolygon(((0 0,2 0,2 2,0 0)))'],
  geometry: ['point(1 2)', 'linestring(0 0,2 2)'],
  geometrycollection: ['geometrycollection(point(1 2))', 'geometrycollection(point(2 3))']
}

const isShape = /^(?:geometry|(?:multi)?(?:point|linestring|polygon))/

/** A value as a statement writes it. */
function literal(value: string, type: string): string {
  if (type.startsWith('bit')) return value
  const quoted = `'${value.replaceAll("'", "''")}'`
  return isShape.test(type) ? `st_geomfromtext(${quoted})` : quoted
}

const nameOf = (type: string): string => /^\w+/.exec(type)?.[0] ?? ''

/** The types that the server's own help names, as far as they make a column. */
async function listTypes(url: string): Promise<readonly string[]> {
  const topics = await runOn(
    url,
    "select t.name from mysql.help_topic t join mysql.help_category c using (help_category_id) where c.name regexp 'data types|geometry'"
  )
  const names = new Set(topics.map(({ name }) => nameOf(String(name).toLowerCase())))
  const columns = [...names].flatMap((name) => [name, `${name}(1)`])
  // Other topics are no types.
  for (const [at, column] of columns.entries())
    await runOn(url, `create table t${at} (c ${column})`).catch(() => undefined)
  const made = await runOn(
    url,
    "select distinct lower(data_type) as type from information_schema.columns where table_schema = database() and column_name = 'c'"
  )
  for (const at of columns.keys()) await runOn(url, `drop table if exists t${at}`)
  return made.map(({ type }) => String(type))
}

void t.test(
  'each type of the server does with each property what its verdict says',
  { timeout: 900_000, skip: await whyNoServer() },
  async (t) => {
    const database = await createTestDatabase()
    t.teardown(() => database.drop())
    await runOn(database.url, 'alter database character set utf8mb4 collate utf8mb4_bin')
    const known = new Set(Object.keys(samples).map(nameOf))
    const missing = (await listTypes(database.url)).filter((type) => !known.has(type))
    t.strictSame(missing, [], 'every type has samples')
    const only = process.env['TYPES']?.split('|')
    const tried = Object.entries(samples).filter(([type]) => only === undefined || only.includes(type))
    await tryTypes(t, Object.fromEntries(tried), {
      types: mysqlTypes,
      fitOf,
      connector: () => mysql({ url: database.url, connectionLimit: 4 }),
      run: async (statements) => runOn(database.url, ...statements),
      quote: (name) => `\`${name}\``,
      literal
    })
  }
)
