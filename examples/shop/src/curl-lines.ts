/** A command to try, and what it shows. */
export interface CurlLine {
  readonly shows: string
  readonly command: string
}

/** Commands for a shop that listens on `address`. */
export function curlLines(address: string): readonly CurlLine[] {
  const api = `${address}/api`
  const json = `-H 'content-type: application/json'`
  return [
    { shows: 'three products', command: `curl -g '${api}/Products?filter[limit]=3'` },
    {
      shows: 'what is in stock below 30 euros, the dearest first',
      command: `curl -G '${api}/Products' --data-urlencode 'filter={"where":{"price":{"lt":30},"inStock":true},"order":"price DESC","limit":3}'`
    },
    {
      shows: 'how many products are tagged gift',
      command: `curl -G '${api}/Products/count' --data-urlencode 'where={"tags":"gift"}'`
    },
    {
      shows: 'a product with its category and its two best reviews',
      command: `curl -G '${api}/Products/1' --data-urlencode 'filter={"include":["category",{"relation":"reviews","scope":{"order":"stars DESC","limit":2,"include":"customer"}}]}'`
    },
    { shows: 'the reviews that one customer wrote', command: `curl '${api}/Customers/1/reviews'` },
    {
      shows: 'what there is for the kitchen, the dearest first',
      command: `curl -G '${api}/Products' --data-urlencode 'filter={"where":{"category.name":"Kitchen"},"order":"price DESC","fields":["name","price"],"limit":2}'`
    },
    {
      shows: 'write a review',
      command: `curl -X POST '${api}/Reviews' ${json} -d '{"productId":1,"customerId":2,"stars":5,"text":"Sharp and light."}'`
    },
    {
      shows: 'what is wrong with this one',
      command: `curl -X POST '${api}/Reviews' ${json} -d '{"productId":1,"customerId":2,"stars":9}'`
    },
    {
      shows: 'place an order; its total is worked out',
      command: `curl -X POST '${api}/Orders' ${json} -d '{"customerId":1,"lines":[{"productId":1,"quantity":2}]}'`
    },
    { shows: 'a category as XML', command: `curl -H 'accept: application/xml' '${api}/Categories/1'` }
  ]
}

/** The commands as a text. */
export function describeLines(address: string): string {
  const lines = curlLines(address).map(({ shows, command }) => `# ${shows}\n${command}\n`)
  return ['Try:', '', ...lines].join('\n')
}
