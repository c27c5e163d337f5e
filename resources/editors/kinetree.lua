-- Kinetree in Neovim: the language server, the element at the cursor in the window, and the way back.
local command = vim.g.kinetree_command or "kinetree"

vim.filetype.add({ extension = { urdf = "xml", mjcf = "xml" } })

-- "Open in External Editor" of the window finds Neovim here. The first Neovim that runs has the address.
pcall(vim.fn.serverstart, (vim.env.XDG_RUNTIME_DIR or vim.fn.stdpath("cache")) .. "/kinetree-nvim.sock")

local function show_in_window()
  vim.cmd("silent update") -- the window reads the file
  local place = ("%s:%d:%d"):format(vim.fn.expand("%:p"), vim.fn.line("."), vim.fn.charcol("."))
  if vim.fn.executable(command) == 0 or vim.fn.jobstart({ command, "--goto", place }, { detach = true }) <= 0 then
    vim.notify("Kinetree was not found: pipx install kinetree, or set vim.g.kinetree_command", vim.log.levels.ERROR)
  end
end

local client -- of Neovim before 0.8

vim.api.nvim_create_autocmd("FileType", {
  pattern = "xml",
  callback = function(event)
    local buffer = event.buf
    vim.keymap.set("n", "<leader>k", show_in_window, { buffer = buffer, desc = "Show in Kinetree" })
    if vim.fn.executable(command) == 0 then
      return
    end
    local config = { name = "kinetree", cmd = { command, "lsp" }, root_dir = vim.fn.expand("%:p:h") }
    if vim.lsp.start then
      vim.lsp.start(config, { bufnr = buffer })
    else
      client = client or vim.lsp.start_client(config)
      vim.lsp.buf_attach_client(buffer, client)
    end
    vim.bo[buffer].omnifunc = "v:lua.vim.lsp.omnifunc" -- CTRL-X CTRL-O completes
    vim.keymap.set("n", "gd", vim.lsp.buf.definition, { buffer = buffer })
  end,
})
