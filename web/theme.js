// Before the first picture, so that a dark page does not start white. Not a module: modules run later.
document.documentElement.dataset.theme = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
