// What the site's maker puts before the service worker, and the glue of the program; only the type checker reads it.

declare const VERSION: string;
declare const FILES: string[];
