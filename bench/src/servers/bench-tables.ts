import type { TableNames } from './fill-postgresql.ts'

/** Whose tables the records of both servers are in. */
export type TablesKind = 'own' | 'loopback'

/** Tables of products and reviews, as the hand-written server reads them. */
export interface BenchTables {
  /** Makes them. */
  readonly create: string
  readonly names: TableNames
  /** What is selected of a product. */
  readonly productColumns: string
  /** What is selected of a review. */
  readonly reviewColumns: string
}

/** The types that one would choose by hand for these records. */
const own: BenchTables = {
  create: `
  create table products (
    id serial primary key, name text not null, description text not null, price double precision not null,
    in_stock boolean not null, category text not null, stock integer not null, created timestamptz not null
  );
  create index on products (price);
  create table reviews (
    id serial primary key, product_id integer not null, author text not null, stars integer not null,
    text text not null, created timestamptz not null
  );
  create index on reviews (product_id)`,
  names: { products: 'products', inStock: 'in_stock', reviews: 'reviews', productId: 'product_id', hasDetails: false },
  productColumns: 'name, description, price, in_stock as "inStock", category, stock, created, id',
  reviewColumns: 'product_id as "productId", author, stars, text, created, id'
}

/**
 * What `automigrate` of LoopBack's connector makes, statement by statement: lists and objects are texts, and a date has no zone
 * where its model says `timestamp`. The hand-written server has the driver read the texts as JSON, and the times as those of UTC.
 * @see loopback-connector-postgresql 5.5.2, lib/migration.js
 */
const loopback: BenchTables = {
  create: `
  CREATE TABLE "public"."product" (
    "name" TEXT NOT NULL,
    "description" TEXT NOT NULL,
    "price" FLOAT NOT NULL,
    "instock" BOOLEAN NOT NULL,
    "category" TEXT NOT NULL,
    "stock" INTEGER NOT NULL,
    "created" TIMESTAMP WITH TIME ZONE NOT NULL,
    "tags" TEXT,
    "size" TEXT,
    "changed" TIMESTAMP WITHOUT TIME ZONE,
    "id" SERIAL,
    PRIMARY KEY("id")
  );
  CREATE INDEX "product_price_idx" ON "public"."product" ("price");
  CREATE TABLE "public"."review" (
    "productid" INTEGER NOT NULL,
    "author" TEXT NOT NULL,
    "stars" INTEGER NOT NULL,
    "text" TEXT NOT NULL,
    "created" TIMESTAMP WITH TIME ZONE NOT NULL,
    "id" SERIAL,
    PRIMARY KEY("id")
  );
  CREATE INDEX "review_productid_idx" ON "public"."review" ("productid")`,
  names: { products: 'product', inStock: 'instock', reviews: 'review', productId: 'productid', hasDetails: true },
  productColumns: `name, description, price, instock as "inStock", category, stock, created, tags::json, size::json,
    changed at time zone 'UTC' as changed, id`,
  reviewColumns: 'productid as "productId", author, stars, text, created, id'
}

/** The tables by their kind. */
export const benchTables: Readonly<Record<TablesKind, BenchTables>> = { own, loopback }
