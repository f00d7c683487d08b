import type { SqlDatabase } from '../databases.ts'

/** Whose tables records are in: those that each server makes for itself, or those that LoopBack's connector makes. */
export const tablesKinds = ['own', 'loopback'] as const
/** One of them. */
export type TablesKind = (typeof tablesKinds)[number]

/** What a column holds, where that makes a difference to who reads it. */
export type ColumnKind = 'plain' | 'whole' | 'number' | 'flag' | 'time' | 'zoneless' | 'exact' | 'json' | 'json text'

/** A column, and the property that it holds. */
export interface BenchColumn {
  readonly name: string
  readonly column: string
  readonly kind: ColumnKind
}

/** A table of products or reviews. */
export interface BenchTable {
  readonly name: string
  readonly columns: readonly BenchColumn[]
}

/** Tables, as hand-written servers read them. */
export interface BenchTables {
  /** The statements that make them. */
  readonly create: readonly string[]
  readonly products: BenchTable
  readonly reviews: BenchTable
}

/** Columns by their properties: `inStock: flag in_stock` has another name than its property. */
const columnsOf = (texts: readonly string[]): BenchColumn[] =>
  texts.map((text) => {
    const [name = '', kind = 'plain', column = name] = text.split(/: ?| in /)
    return { name, column, kind: kind as ColumnKind } // those below
  })

const products = [
  'name',
  'description',
  'price: number',
  'category',
  'stock: whole',
  'created: time',
  'weight: exact',
  'id: whole'
]
const reviews = ['author', 'stars: whole', 'text', 'created: time', 'id: whole']
/** What only LoopBack's tables have. */
const loopbackProducts = [...products, 'tags: json text', 'size: json text', 'changed: zoneless']

/** The types that one would choose by hand for these records. */
const ownPostgresql: BenchTables = {
  create: [
    `create table products (
      id serial primary key, name text not null, description text not null, price double precision not null,
      in_stock boolean not null, category text not null, stock integer not null, tags jsonb not null,
      weight numeric(10,2) not null, created timestamptz not null
    )`,
    'create index on products (price)',
    `create table reviews (
      id serial primary key, product_id integer not null, author text not null, stars integer not null,
      text text not null, created timestamptz not null
    )`,
    'create index on reviews (product_id)'
  ],
  products: { name: 'products', columns: columnsOf([...products, 'inStock: flag in in_stock', 'tags: json']) },
  reviews: { name: 'reviews', columns: columnsOf([...reviews, 'productId: whole in product_id']) }
}

const ownMysql: BenchTables = {
  create: [
    `create table products (
      id int auto_increment primary key, name varchar(255) not null, description varchar(1000) not null,
      price double not null, in_stock tinyint(1) not null, category varchar(100) not null, stock int not null,
      tags json not null, weight decimal(10,2) not null, created datetime(3) not null, index (price)
    )`,
    `create table reviews (
      id int auto_increment primary key, product_id int not null, author varchar(255) not null, stars int not null,
      text varchar(1000) not null, created datetime(3) not null, index (product_id)
    )`
  ],
  products: { name: 'products', columns: columnsOf([...products, 'inStock: flag in in_stock', 'tags: json text']) },
  reviews: { name: 'reviews', columns: columnsOf([...reviews, 'productId: whole in product_id']) }
}

/**
 * What `automigrate` of LoopBack's connector makes: lists and objects are texts, and a date has no zone where its model says
 * `timestamp`. Models as in `modelwire.ts`.
 * @see loopback-connector-postgresql 5.5.2, lib/migration.js
 */
const loopbackPostgresql: BenchTables = {
  create: [
    `CREATE TABLE "public"."product" (
      "name" TEXT NOT NULL, "description" TEXT NOT NULL, "price" FLOAT NOT NULL, "instock" BOOLEAN NOT NULL,
      "category" TEXT NOT NULL, "stock" INTEGER NOT NULL, "weight" NUMERIC(10,2) NOT NULL,
      "created" TIMESTAMP WITH TIME ZONE NOT NULL, "tags" TEXT, "size" TEXT, "changed" TIMESTAMP WITHOUT TIME ZONE,
      "id" SERIAL, PRIMARY KEY("id")
    )`,
    'CREATE INDEX "product_price_idx" ON "public"."product" ("price")',
    `CREATE TABLE "public"."review" (
      "productid" INTEGER NOT NULL, "author" TEXT NOT NULL, "stars" INTEGER NOT NULL, "text" TEXT NOT NULL,
      "created" TIMESTAMP WITH TIME ZONE NOT NULL, "id" SERIAL, PRIMARY KEY("id")
    )`,
    'CREATE INDEX "review_productid_idx" ON "public"."review" ("productid")'
  ],
  products: { name: 'product', columns: columnsOf([...loopbackProducts, 'inStock: flag in instock']) },
  reviews: { name: 'review', columns: columnsOf([...reviews, 'productId: whole in productid']) }
}

/** @see loopback-connector-mysql 5.4.4, lib/migration.js */
const loopbackMysql: BenchTables = {
  create: [
    `CREATE TABLE \`Product\` (
      \`name\` VARCHAR(512) NOT NULL, \`description\` VARCHAR(512) NOT NULL, \`price\` DOUBLE NOT NULL,
      \`inStock\` TINYINT(1) NOT NULL, \`category\` VARCHAR(512) NOT NULL, \`stock\` INT(11) NOT NULL,
      \`weight\` DECIMAL(10,2) NOT NULL, \`created\` DATETIME NOT NULL, \`tags\` TEXT NULL, \`size\` TEXT NULL,
      \`changed\` DATETIME NULL, \`id\` INT(11) NOT NULL AUTO_INCREMENT, PRIMARY KEY(\`id\`), INDEX \`price\` (\`price\`)
    )`,
    `CREATE TABLE \`Review\` (
      \`productId\` INT(11) NOT NULL, \`author\` VARCHAR(512) NOT NULL, \`stars\` INT(11) NOT NULL,
      \`text\` VARCHAR(512) NOT NULL, \`created\` DATETIME NOT NULL, \`id\` INT(11) NOT NULL AUTO_INCREMENT,
      PRIMARY KEY(\`id\`), INDEX \`productId\` (\`productId\`)
    )`
  ],
  products: { name: 'Product', columns: columnsOf([...loopbackProducts, 'inStock: flag']) },
  reviews: { name: 'Review', columns: columnsOf([...reviews, 'productId: whole']) }
}

/** The tables by their database and kind. */
export const benchTables: Readonly<Record<SqlDatabase, Readonly<Record<TablesKind, BenchTables>>>> = {
  postgresql: { own: ownPostgresql, loopback: loopbackPostgresql },
  mysql: { own: ownMysql, loopback: loopbackMysql }
}
