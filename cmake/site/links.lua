-- Links between the documents become links between the pages: X.md is X.html, README.md a folder's index.html.
function Link(link)
    if not link.target:match("^%a+:") then
        link.target = link.target:gsub("README%.md", "index.html"):gsub("%.md$", ".html"):gsub("%.md#", ".html#")
    end
    return link
end
