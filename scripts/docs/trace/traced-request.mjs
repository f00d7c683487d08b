const filter = { where: { price: { gt: 10 } }, order: 'price DESC', limit: 20 }

/** The request that is traced. */
export const tracedUrl = `/api/Products?filter=${JSON.stringify(filter)}`
