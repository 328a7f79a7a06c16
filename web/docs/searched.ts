/** Options of the search index, shared by the build and the reader. */
export const searched = { fields: ['title', 'page', 'text'], storeFields: ['title', 'page'] };
